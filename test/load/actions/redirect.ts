/** The redirect record with a code, and what it repeats of the request. */
import { textLike } from "../answer-difference.ts";
import type { Bank } from "../bank.ts";
import type { Exchange, Expected } from "../connection.ts";

export interface Redirect {
  readonly redirect_uri: string;
  readonly state?: string;
}

const CODE = textLike("a code", /^(?:[0-9A-Za-z_-]+\.){4}[0-9A-Za-z_-]{43}$/);

export const NO_STORE = { "cache-control": "no-store" };

/** Some have a query of their own, some no state, some a state that has to be encoded. */
export function drawRedirect(bank: Bank): Redirect {
  const drawn = bank.random();
  const redirect_uri = `https://psp.load.invalid/callback${drawn < 0.3 ? "?of=load" : ""}`;
  return drawn < 0.1 ? { redirect_uri } : { redirect_uri, state: `${bank.makeName("state")} & more/?=` };
}

export const codeOf = ({ body }: Pick<Exchange, "body">): string =>
  String(
    (body as { data?: { redirect_uri?: { parameters?: { code?: unknown } } } } | null)?.data?.redirect_uri?.parameters
      ?.code,
  );

export function expectedRedirect(exchange: Exchange, { redirect_uri, state }: Redirect): Expected {
  const query = [
    `code=${encodeURIComponent(codeOf(exchange))}`,
    ...(state === undefined ? [] : [`state=${encodeURIComponent(state)}`]),
  ];
  return {
    status: 201,
    headers: NO_STORE,
    body: {
      data: {
        redirect_uri: {
          base_uri: redirect_uri,
          parameters: { code: CODE, ...(state !== undefined && { state }) },
          full_uri: `${redirect_uri}${redirect_uri.includes("?") ? "&" : "?"}${query.join("&")}`,
        },
      },
    },
  };
}

/** The refusal as the redirect record tells it, and the error beside it. */
export function expectedRefusedRedirect(
  bank: Bank,
  { requestId }: Exchange,
  { redirect_uri, state }: Redirect,
  { error, code, title }: { readonly error: string; readonly code: string; readonly title: string },
): Expected {
  const parameters = { error, error_description: title, ...(state !== undefined && { state }) };
  const query = Object.entries(parameters).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  return {
    status: 403,
    headers: NO_STORE,
    body: {
      data: {
        redirect_uri: {
          base_url: redirect_uri,
          parameters,
          full_uri: `${redirect_uri}${redirect_uri.includes("?") ? "&" : "?"}${query.join("&")}`,
        },
      },
      errors: expectedErrors(bank, requestId, code, title),
    },
  };
}

export const expectedErrors = (bank: Bank, requestId: string, code: string, title: string) => [
  { id: requestId, code, title, link: `${bank.url}/errors#${code}` },
];
