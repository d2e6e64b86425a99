/** The request as the bank's JSON describes it. What two readers could read differently is refused. */
import { readContentDigest, readDigest } from "./digest.ts";
import type { Digests, Field, SignedRequest } from "./request.ts";

export interface Description {
  readonly method: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: string | undefined;
  readonly body_digest?: string | undefined;
  readonly require_date?: boolean | undefined;
}

/** RFC 9110 section 9.1: a token. */
export const METHOD = /^[!#$%&'*+.^_`|~\w-]{1,32}$/;
/** RFC 9112 section 3.2: the origin form, or the absolute one without a user's name. */
export const TARGET =
  /^(?:[hH][tT]{2}[pP][sS]?:\/\/[\w.~%:[\]-]+(?:[/?][\x21\x22\x24-\x7e]*)?|\/[\x21\x22\x24-\x7e]*)$/;
export const HEADER_NAME = /^[!#$%&'*+.^_`|~\w-]{1,128}$/;
/** RFC 9110 section 5.5: no control character but the tab. A line break would begin another header. */
export const HEADER_VALUE = /^(?:\t|\P{Cc})*$/u;

const HOST = /^[\w.~%:[\]-]+$/;

/** In the form of Digest or of Content-Digest; null if it is neither, or has no SHA-256 and no SHA-512. */
export function readBodyDigest(text: string): Digests | null {
  const digests = readContentDigest(text) ?? readDigest(text);
  return digests && Object.keys(digests).length > 0 ? digests : null;
}

/** A description that is valid: see the patterns. */
export function readDescription({
  method,
  target,
  headers,
  body,
  body_digest,
  require_date,
}: Description): SignedRequest {
  const fields = Object.entries(headers).flatMap(([name, values]) =>
    [values].flat().map((value) => toField(name, value)),
  );
  const [, origin = "", rest = ""] = /^(https?:\/\/[^/?]+)?(.*)$/i.exec(target) ?? [];
  const hosts = fields.filter(({ name }) => name === "host");
  const [{ value: host = "" } = {}] = hosts;
  const path = rest.startsWith("/") ? rest : `/${rest}`;
  const isNamed = hosts.length === 1 && HOST.test(host);
  return {
    ...{ method, path, fields, requireDate: require_date === true },
    url: origin ? target : isNamed ? `https://${host}${path}` : null,
    body:
      body_digest === undefined
        ? { bytes: new TextEncoder().encode(body ?? "") }
        : { digests: readBodyDigest(body_digest) ?? {} },
  };
}

const toField = (name: string, value: string): Field => ({
  name: name.toLowerCase(),
  value: value.replaceAll(/^[\t ]+|[\t ]+$/g, ""),
});
