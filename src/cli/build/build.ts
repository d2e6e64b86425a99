/** `[build]` of wrangler.toml: the Worker's modules and its static files. wrangler runs it before it serves or sends them. */
import { buildSite } from "./site.ts";
import { buildWorker } from "./worker-modules.ts";

await buildWorker();
await buildSite({ sandbox: process.env["SANDBOX_SITE"] === "on" });
