/** The institution's webhooks, and how the deliveries of its newest events stand. */
import type { ListedDelivery } from "../../events/deliveries.ts";
import type { ReviewCounts } from "../../events/event-review.ts";
import type { Webhook } from "../../events/webhook.ts";
import type { Chosen } from "../chosen-institution.tsx";
import { RowAction } from "../chosen-institution.tsx";
import { Age, Code, Mark, RowTable, type State } from "../elements.tsx";
import { AsFile } from "../list-file.tsx";
import { hasRole, type Reader, type Visit } from "../page.ts";
import { CHECK } from "../roles.ts";
import { writeNumber } from "../wording.ts";
import { EVENTS, REPLAY } from "./event-words.ts";

/** Of each state. */
export const MAX_DELIVERIES = 20;

interface DeliveriesProps {
  readonly visit: Visit<Reader>;
  readonly fi: Chosen;
  readonly webhooks: readonly Webhook[];
  /** The newest of each state. */
  readonly deliveries: readonly ListedDelivery[];
  /** In all. */
  readonly lengths: ReviewCounts["deliveries"];
}

/** Its subject begins with its webhook. */
const isTest = ({ subject, webhookId }: ListedDelivery): boolean => subject.startsWith(webhookId);

const STATE_WORDS: Readonly<Record<ListedDelivery["status"], readonly [State, string]>> = {
  dead: ["no", "Given up"],
  pending: ["unknown", "Under way"],
  delivered: ["yes", "Delivered"],
};

export function Deliveries({ visit, fi, webhooks, deliveries, lengths }: DeliveriesProps) {
  // an address may hold a secret of the receiver
  const hosts = new Map(webhooks.map(({ id, url }) => [id, URL.parse(url)?.host ?? url]));
  const mayReplay = hasRole(visit.reader, CHECK);
  const disabled = webhooks.filter(({ status }) => status === "disabled");
  const silent = webhooks.filter(({ status, silentSince }) => status === "active" && silentSince !== null);
  const dead = deliveries.filter((delivery) => delivery.status === "dead" && !isTest(delivery));
  const givenUp = webhooks.filter(
    ({ id, status }) => mayReplay && status === "active" && dead.some(({ webhookId }) => webhookId === id),
  );
  return (
    <section class="card" aria-labelledby="deliveries">
      <h2 id="deliveries">Deliveries to webhooks</h2>
      {webhooks.length === 0 ? (
        <p>
          There is no webhook: events are here, and your systems can ask for them. <Code>GET /v1/events</Code> An
          administrator of the institution adds one, or the operator does. <Code>webhook add</Code>
        </p>
      ) : (
        <p>
          {webhooks.length === 1 ? "One webhook" : `${webhooks.length} webhooks`}:{" "}
          {[...new Set(hosts.values())].join(", ")}.
        </p>
      )}
      {disabled.length > 0 && (
        <p>
          <Mark state="warn">
            {disabled.length === 1 ? "One is disabled" : `${disabled.length} are disabled`}: the receiver wants no more
          </Mark>
        </p>
      )}
      {silent.map(({ id, silentSince }) => (
        <p>
          <Mark state="warn">
            {hosts.get(id)} gives no answer, the first time <Age time={silentSince ?? 0} now={visit.now} />: until it
            does, one event a minute is tried
          </Mark>
        </p>
      ))}
      {givenUp.map(({ id }) => (
        <RowAction visit={visit} fi={fi} path={REPLAY} name="webhook" value={id} about="">
          Deliver all again that was given up to {hosts.get(id)}
        </RowAction>
      ))}
      {deliveries.length > 0 && <p>{describeLengths(deliveries, lengths)}</p>}
      {deliveries.length > 0 && (
        <AsFile link={(as) => fi.link(EVENTS, { list: "deliveries", ...as })} what="deliveries" />
      )}
      {deliveries.length > 0 && (
        <RowTable
          label="Deliveries"
          heads={["About", "State", "To", "Made", "Attempts", "The receiver"]}
          numbers={["Attempts"]}
          acts={mayReplay}
        >
          {deliveries.map((delivery) => (
            <Row
              visit={visit}
              fi={fi}
              delivery={delivery}
              host={hosts.get(delivery.webhookId) ?? null}
              mayReplay={mayReplay}
              active={!disabled.some(({ id }) => id === delivery.webhookId)}
              silent={silent.some(({ id }) => id === delivery.webhookId)}
            />
          ))}
        </RowTable>
      )}
    </section>
  );
}

/** Such as `In all: 25 given up, 3 under way. The newest 20 of each are listed.` */
function describeLengths(listed: readonly ListedDelivery[], lengths: DeliveriesProps["lengths"]): string {
  const states = (Object.keys(STATE_WORDS) as ListedDelivery["status"][]).filter((status) => lengths[status] > 0);
  const counts = states.map((status) => `${writeNumber(lengths[status])} ${STATE_WORDS[status][1].toLowerCase()}`);
  const all = states.reduce((sum, status) => sum + lengths[status], 0);
  return `In all: ${counts.join(", ")}.${all > listed.length ? ` The newest ${MAX_DELIVERIES} of each are listed.` : ""}`;
}

interface RowProps {
  readonly visit: Visit<Reader>;
  readonly fi: Chosen;
  readonly delivery: ListedDelivery;
  /** Null: the webhook was removed. */
  readonly host: string | null;
  readonly mayReplay: boolean;
  readonly active: boolean;
  /** Its turn comes nobody knows when. */
  readonly silent: boolean;
}

function Row({ visit, fi, delivery, host, mayReplay, active, silent }: RowProps) {
  const { id, subject, status, attempts, createdAt, nextAt, outcome } = delivery;
  const [state, word] = STATE_WORDS[status];
  return (
    <tr>
      <th scope="row" class="text">
        {isTest(delivery) ? "A test of the webhook" : <code>{subject}</code>}
      </th>
      <td>
        <Mark state={state}>{word}</Mark>
      </td>
      <td class="text">{host ?? "a webhook that was removed"}</td>
      <td>
        <Age time={createdAt} now={visit.now} />
      </td>
      <td class="number">{attempts}</td>
      <td class="text">
        {outcome ?? "was not asked yet"}
        {status === "pending" && nextAt > visit.now && !silent && (
          <>
            ; again <Age time={nextAt} now={visit.now} /> at the latest
          </>
        )}
      </td>
      {mayReplay && (
        <td>
          {status !== "pending" && host !== null && active && (
            <RowAction
              visit={visit}
              fi={fi}
              path={REPLAY}
              name="delivery"
              value={id}
              about={isTest(delivery) ? "the test" : subject}
            >
              Deliver again
            </RowAction>
          )}
        </td>
      )}
    </tr>
  );
}
