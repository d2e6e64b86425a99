/** Credentials of an institution's systems, each with the way to a new secret. */
import type { OwnCredential } from "../../institutions/own-credentials.ts";
import type { Instant } from "../../platform/instant.ts";
import { Age, RowTable, Time } from "../elements.tsx";

interface CredentialTableProps {
  readonly label: string;
  /** Of those that are shared another than the reader rotates it. */
  readonly credentials: readonly OwnCredential[];
  readonly now: Instant;
  readonly rotation: (client: string) => string;
}

export const CredentialTable = ({ label, credentials, now, rotation }: CredentialTableProps) => (
  <RowTable label={label} heads={["Client id", "Secret made", "Secret before"]} acts>
    {credentials.map(({ clientId, madeAt, oldSecretUntil, isShared }) => (
      <tr>
        <th scope="row">
          <code>{clientId}</code>
        </th>
        <td class="text">
          <Age time={madeAt} now={now} />
        </td>
        <td class="text">{oldSecretUntil === null ? "none" : <Time words="works until" at={oldSecretUntil} />}</td>
        <td class="text">
          {isShared ? (
            "It speaks for other institutions, too: your service's operator rotates it"
          ) : (
            <a href={rotation(clientId)}>
              Rotate… <span class="out">{clientId}</span>
            </a>
          )}
        </td>
      </tr>
    ))}
  </RowTable>
);
