/** Forbids caches to store answers with codes, tokens or consents (RFC 6749 section 5.1). */
import { createMiddleware } from "hono/factory";

const NO_STORE = "no-store";

export const noStore = createMiddleware(async (c, next) => {
  // before the handlers, so that the answer is built once: with a header set later it is built again
  c.header("Cache-Control", NO_STORE);
  await next();
  if (c.res.headers.get("Cache-Control") !== NO_STORE) c.header("Cache-Control", NO_STORE);
});
