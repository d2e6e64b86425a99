/** Forbids caches to store answers with codes, tokens or consents (RFC 6749 section 5.1). */
import { createMiddleware } from "hono/factory";

export const noStore = createMiddleware(async (c, next) => {
  await next();
  c.header("Cache-Control", "no-store");
});
