/** The Worker under measurement: the service, and beside it the bare routes that it is compared with. */
import { app } from "../../src/app.ts";
import { type BenchEnv, bare } from "./bare-routes.ts";

export { AuthorizationCode } from "../../src/grants/authorization-code.ts";
export { RateWindow } from "../../src/rate-limit/rate-window.ts";
export { BareRecord } from "./bare-record.ts";

/** The service over other tables: one env each for the isolate's life, as the service itself has. */
const other = new Map<string, BenchEnv>();
const withDatabase = (env: BenchEnv, name: "DB_THOUSAND" | "DB_MILLION"): BenchEnv => {
  const made = other.get(name) ?? { ...env, DB: env[name] };
  other.set(name, made);
  return made;
};

export default {
  fetch: (request, env, ctx) => {
    const { pathname } = new URL(request.url);
    if (pathname.startsWith("/bare/")) return bare.fetch(request, env, ctx);
    const table = request.headers.get("bench-table");
    if (table === null) return app.fetch(request, env, ctx);
    const bindings = withDatabase(env, table === "million" ? "DB_MILLION" : "DB_THOUSAND");
    return pathname.startsWith("/rows") ? bare.fetch(request, bindings, ctx) : app.fetch(request, bindings, ctx);
  },
} satisfies ExportedHandler<BenchEnv>;
