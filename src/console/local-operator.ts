/**
 * The operator of `npm start`: whoever opens the console of a service that runs on the own machine.
 *
 * This is safe on three grounds. `npm start` alone sets CONSOLE_LOCAL_OPERATOR; a deployment has the empty one of
 * wrangler.toml. It counts only if the request's URL is a loopback address: Cloudflare routes no request with such a
 * host to a Worker. And it is the host that the browser asked for, so a page of another site whose name was made to
 * resolve to 127.0.0.1 (DNS rebinding) has another host, while one that posts to 127.0.0.1 has another origin
 * (form-guard.ts).
 */
const LOOPBACK = new Set(["localhost", "127.0.0.1", "[::1]"]);

export const hasLocalOperator = (env: Pick<Env, "CONSOLE_LOCAL_OPERATOR">, requestUrl: string): boolean =>
  env.CONSOLE_LOCAL_OPERATOR === "on" && LOOPBACK.has(new URL(requestUrl).hostname);
