/** The Worker under measurement: the service, and beside it the bare routes that it is compared with. */
import { Hono } from "hono";
import { app } from "../../src/app.ts";
import { parseCertificate } from "../../src/eidas/certificate.ts";
import { verifySignature } from "../../src/eidas/signature.ts";
import { fromBase64 } from "../../src/encoding.ts";

export { RateWindow } from "../../src/rate-window.ts";

const bench = new Hono<{ Bindings: Env }>();

bench.get("/bare", (c) => c.json({ ok: true }));

/** Parses the certificate and its issuer and verifies the one signature: the least that a check can do. */
bench.get("/bare/verify", async (c) => {
  const [leaf, issuer] = ["eidas", "issuer"].map((name) => fromBase64(c.req.header(name) ?? ""));
  if (!leaf || !issuer) return c.json({ ok: false }, 400);
  const certificate = parseCertificate(leaf);
  const { publicKey } = parseCertificate(issuer);
  const { signatureAlgorithm: algorithm, tbs: data, signature } = certificate;
  return c.json(await verifySignature({ algorithm, publicKey, data, signature }));
});

bench.all("*", (c) => app.fetch(c.req.raw, c.env, c.executionCtx as ExecutionContext));

export default { fetch: bench.fetch } satisfies ExportedHandler<Env>;
