/**
 * People of the sandbox's institution sign in as at a bank: `npm start` opens an OpenID provider for them (openid-provider.ts), and sets
 * it as `fi sign-in set` does. One that was set by somebody else stays, and nothing is opened.
 *
 * Port and secret are those of the last start, which the institution's row has. So the row does not change, and no session ends. If the
 * port is another's now, the row is set anew.
 */
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { openProviderSecret } from "../../grants/provider-secret.ts";
import { readTokenKeys } from "../../grants/token-keys.ts";
import { findProvider, setProvider } from "../../institutions/sign-in-provider.ts";
import { clock } from "../../platform/clock.ts";
import { makeSecret } from "../../platform/secrets.ts";
import { requireInstitution } from "../institution/options.ts";
import { SANDBOX_BANK } from "../sandbox/sandbox.ts";
import { withLocalSecrets } from "../webhook/local-deliveries.ts";
import { HOST } from "./local-address.ts";
import type { Provider } from "./openid-provider.ts";

const CLIENT_ID = "npm-start";
const GROUPS = { auditor: ["auditor"], officer: ["officer"], administrator: ["administrator"] };
const MAX_FORM_CHARACTERS = 16_384;

/**
 * Returns what listens; null: the provider is somebody else's. `servicePort`: not taken here. `serviceAddress`: asked when somebody
 * signs in. Throws StoreError.
 */
export async function letPeopleSignIn(env: Env, servicePort: number, serviceAddress: () => string) {
  const { fiReferenceId } = SANDBOX_BANK;
  const { id: fiId } = await requireInstitution(env, fiReferenceId);
  const before = await findProvider(env.DB, fiId);
  if (before && before.clientId !== CLIENT_ID) return null;
  const known = before && openProviderSecret({ fiId, ...before }, readTokenKeys(await withLocalSecrets(env)));
  const clientSecret = known ?? makeSecret();
  const last = Number(URL.parse(before?.issuer ?? "")?.port);

  let provider: Promise<Provider> | null = null;
  const server = createServer((request, response) => {
    provider ??= import("./openid-provider.ts").then(({ makeProvider }) =>
      makeProvider(issuer, [CLIENT_ID, clientSecret], () => `${serviceAddress()}/console/sign-in/${fiReferenceId}`),
    );
    answer(provider, request, response).catch((error: unknown) => {
      console.error(`the sandbox's OpenID provider: ${error}`);
      response.destroy();
    });
  });
  const issuer = `http://${HOST}:${await listen(server, last === servicePort ? 0 : last)}`;
  if (known !== null && before?.issuer === issuer) return server;
  const { claim, groups, credentials } = before ?? { claim: "groups", groups: GROUPS, credentials: true };
  const client = { clientId: CLIENT_ID, authMethod: "client_secret_post", secret: clientSecret, kid: null } as const;
  await setProvider(env.DB, fiId, { issuer, ...client, claim, groups, credentials }, clock.now()).run();
  return server;
}

/** On this port if it is free, else on any. Returns which. */
async function listen(server: Server, port: number): Promise<number> {
  server.listen(port || 0, HOST);
  await once(server, "listening").catch(() => once(server.listen(0, HOST), "listening"));
  return (server.address() as AddressInfo).port;
}

async function answer(provider: Promise<Provider>, request: IncomingMessage, response: ServerResponse): Promise<void> {
  let form = "";
  for await (const chunk of request.setEncoding("utf8")) {
    form += chunk;
    if (form.length > MAX_FORM_CHARACTERS) throw new Error("a request is too long");
  }
  const { method = "GET", url = "/", headers } = request;
  const address = new URL(`http://${headers.host}${url}`);
  const asked = new Request(address, { method, headers: { Cookie: headers.cookie ?? "" } });
  const answered = await (await provider)(asked, new URLSearchParams(form), clock.now());
  response.writeHead(answered.status, Object.fromEntries(answered.headers));
  response.end(await answered.text());
}
