/** The Worker's entry: the app and the Durable Objects, nothing else. */
import { app } from "./app.ts";

export { AuthorizationCode } from "./grants/authorization-code.ts";
export { RateWindow } from "./rate-window.ts";

export default { fetch: app.fetch } satisfies ExportedHandler<Env>;
