/** What `doctor` says of METRICS_TOKEN, by which a monitor reads GET /metrics. */
import { MIN_TOKEN_CHARACTERS, operatorToken } from "../../http/middleware/operator.ts";
import { listSecrets, readDevVars } from "../keys/keys.ts";
import type { Target } from "../target.ts";
import { type Finding, good, toDo } from "./finding.ts";
import type { Vars } from "./settings.ts";

/**
 * Whether a monitor can read GET /metrics. `token`: METRICS_TOKEN; null if it is not set, "secret" of a deployment, whose secrets
 * nobody can read. An operator may do without, so then there is nothing to do.
 */
export function findMetricsToken(token: string | null, vars: Vars): Finding {
  if (vars["METRICS_TOKEN"] !== undefined)
    return toDo(
      "configuration",
      "METRICS_TOKEN is a variable of wrangler.toml, where whoever reads the file has it",
      "take it out and make a new one: openssl rand -base64 32 | npx wrangler secret put METRICS_TOKEN",
    );
  const access = vars["ACCESS_TEAM_DOMAIN"] && vars["ACCESS_AUDIENCE"] ? "; Cloudflare Access opens it" : "";
  if (token === null)
    return good(
      "configuration",
      `METRICS_TOKEN is not set: ${access === "" ? "GET /metrics is a 404" : "no Bearer opens GET /metrics"}${access}`,
    );
  if (token === "secret")
    return good("configuration", `METRICS_TOKEN is set; one below ${MIN_TOKEN_CHARACTERS} characters opens nothing`);
  return operatorToken({ METRICS_TOKEN: token }) === null
    ? toDo(
        "configuration",
        `METRICS_TOKEN has ${token.length} characters, which can be guessed: it opens nothing`,
        `make one of at least ${MIN_TOKEN_CHARACTERS}: openssl rand -base64 32`,
      )
    : good("configuration", "METRICS_TOKEN is set, and long enough");
}

/** For {@link findMetricsToken}. Throws CommandError if the deployment's secrets cannot be listed. */
export async function readMetricsToken(target: Target): Promise<string | null> {
  if (target.remote) return /"METRICS_TOKEN"/.test(await listSecrets(target)) ? "secret" : null;
  const [, token = null] = /^METRICS_TOKEN=["']?([^"'\n]*)/m.exec(await readDevVars()) ?? [];
  return token;
}
