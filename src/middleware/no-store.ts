/** Answers with codes, tokens or consents are kept by no cache on the way (RFC 6749 section 5.1). */
import { createMiddleware } from "hono/factory";

export const noStore = createMiddleware(async (c, next) => {
  await next();
  c.header("Cache-Control", "no-store");
});
