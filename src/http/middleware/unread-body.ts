/**
 * What is left of a body when the answer is ready. A server that answers without it closes the connection, and the client, which
 * still sends, may lose the answer (RFC 9112 section 9.6). workerd itself reads 64 KiB more: for a larger body the proxy of
 * `wrangler dev` then answered 500. So the rest is read and forgotten, up to far more than anybody sends by mistake.
 */
import { createMiddleware } from "hono/factory";
import type { AppEnv } from "../context.ts";

const MAX_BYTES = 16 * 1024 * 1024;
/** A sender that pauses for long gets its answer now. */
const MAX_MILLISECONDS = 5_000;

export const unreadBody = createMiddleware<AppEnv>(async (c, next) => {
  // a step may replace the request
  const { body } = c.req.raw;
  await next();
  // a body that was read whole is locked
  if (body !== null && !body.locked) await forget(body);
});

async function forget(body: ReadableStream<Uint8Array>): Promise<void> {
  let bytes = 0;
  const nowhere = new WritableStream<Uint8Array>({
    write: (chunk) => {
      bytes += chunk.length;
      if (bytes > MAX_BYTES) throw new Error("enough");
    },
  });
  // broken off by the client, by the time or by the bytes: there is nothing more to do
  await body.pipeTo(nowhere, { signal: AbortSignal.timeout(MAX_MILLISECONDS) }).catch(() => {});
}
