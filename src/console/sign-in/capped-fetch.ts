/**
 * A fetch from an OpenID provider, whose address an operator has set: public hosts only, no redirect, little time, few bytes. Of
 * `npm start` the machine itself, too, as for webhooks.
 */
import { checkTarget, readTargets, resolveHost } from "../../events/webhook-target.ts";

const TIMEOUT_MS = 5_000;
const MAX_BYTES = 256 * 1024;

interface Asked {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: URLSearchParams | undefined;
}

/** For `oauth.customFetch`. Throws an Error that says what was wrong with the answer; the provider's text is not in it. */
export const fetchWithin =
  (env: Partial<Pick<Env, "WEBHOOK_TARGETS">>) =>
  async (url: string, { method, headers, body }: Asked): Promise<Response> => {
    const target = await checkTarget(url, readTargets(env), resolveHost);
    if (!target.ok) throw new Error(`${url} ${target.message}`);
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const request = { method: method ?? "GET", ...(headers && { headers }), ...(body && { body }) };
    const answer = await fetch(url, { ...request, redirect: "manual", signal });
    if (answer.status >= 300 && answer.status < 400)
      throw new Error(`${url} answers with a redirect, which is not followed`);
    const chunks: Uint8Array<ArrayBuffer>[] = [];
    let length = 0;
    for await (const chunk of (answer.body ?? []) as AsyncIterable<Uint8Array<ArrayBuffer>>) {
      length += chunk.length;
      if (length > MAX_BYTES) throw new Error(`${url} answers with more than ${MAX_BYTES / 1024} KiB`);
      chunks.push(chunk);
    }
    const { status } = answer;
    return new Response(length === 0 ? null : new Blob(chunks), { status, headers: answer.headers });
  };
