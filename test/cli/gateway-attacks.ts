/**
 * What a PSP with a token of the scope accounts sends to a gateway, to be taken for another or to reach another page, and what
 * the backend may see of it. Requests are written by hand: a client of HTTP would tidy them.
 */
import { type ConnectionOptions, connect } from "node:tls";
import { ACCESS_HEADERS } from "../../src/routes/access.ts";

/** The path that the examples name, with the scope accounts. */
const NAMED = "/accounts/1/balances";
/** What nobody but a PSP says of itself. */
const FORGED = "1990-01-01T00:00:00Z";

const capitals = (name: string): string => name.replaceAll(/\b\w/g, (letter) => letter.toUpperCase());

export interface Attack {
  readonly name: string;
  readonly target: string;
  readonly headers: readonly string[];
}

/** A backend behind CGI, WSGI or PHP reads psp_id and psp-id as one (RFC 3875 section 4.1.18). */
const spelled: readonly Attack[] = ACCESS_HEADERS.flatMap((header) =>
  [...new Set([header, capitals(header), header.replaceAll("-", "_")])].map((name) => ({
    name: `${name}: ${FORGED}`,
    target: NAMED,
    headers: [`${name}: ${FORGED}`],
  })),
);

/** A proxy drops what Connection names (RFC 9110 section 7.6.1): without its bounds a token would be unbounded. */
const dropped: readonly Attack[] = ACCESS_HEADERS.map((name) => ({
  name: `Connection: ${name}`,
  target: NAMED,
  headers: [`Connection: close, ${name}`],
}));

const TARGETS = [
  "/accounts/../payments/1",
  "/accounts/%2e%2e/payments/1",
  "/accounts/.%2E/payments/1",
  "/accounts/..%2fpayments/1",
  "/accounts/..%5cpayments/1",
  "/accounts/%2e%2e%2fpayments%2f1",
  "/accounts/%252e%252e/payments/1",
  "/accounts/..;/payments/1",
  "/accounts/..;x=1/payments/1",
  "/accounts/1/%00/../../../payments/1",
  "/accounts/..\\payments\\1",
  "/accounts//../payments/1",
  "/accounts/1?/../../payments/1",
  "/accounts/1%3f/../../../payments/1",
  "/accounts/1%23/../../../payments/1",
  "/accounts/1#/../../../payments/1",
  "/accounts/%c0%ae%c0%ae/payments/1",
  "//payments/1",
  "//accounts/../payments/1",
  "/accounts;/../payments/1",
  "/accounts%2f..%2fpayments%2f1",
  "/ACCOUNTS/../payments/1",
  "/accountsandpayments/1",
  "/payments/1",
  "/payments/../accounts/..",
  "/",
  "*",
  "payments/1",
  "http://localhost/payments/1",
  "http://localhost/accounts/../payments/1",
  "http://localhost/payments/1?/accounts/1",
];
const walks: readonly Attack[] = TARGETS.map((target) => ({ name: `GET ${target}`, target, headers: [] }));

export const ATTACKS: readonly Attack[] = [...spelled, ...dropped, ...walks];

/** A request as the backend saw it. */
export interface Seen {
  readonly url: string;
  /** Names and values in turn, as they were sent. */
  readonly rawHeaders: readonly string[];
}

/** Whether every reader of the path finds a page of the accounts there: nothing in it is decoded, or walks. */
const isAccounts = (url: string): boolean => /^\/accounts(\/[\w~-][\w.~-]*)+\/?$/.test(url.replace(/\?.*/, ""));

/**
 * What is wrong with it: a page that the gateway does not name, or a header that is not that of `right`, which has what the
 * service answered. Null: nothing.
 */
export function findHarm({ url, rawHeaders }: Seen, right: Headers): string | null {
  if (!isAccounts(url)) return `the backend saw ${url}`;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = (rawHeaders[i] ?? "").toLowerCase();
    const told = ACCESS_HEADERS.find((header) => header === name.replaceAll("_", "-"));
    if (told === undefined) continue;
    if (told !== name) return `the backend saw ${name}`;
    if (!isSame(told, rawHeaders[i + 1], right.get(told))) return `the backend saw ${name}: ${rawHeaders[i + 1]}`;
  }
  for (const name of ACCESS_HEADERS) {
    const times = rawHeaders.filter((text, i) => i % 2 === 0 && text.toLowerCase() === name).length;
    if (times !== (right.has(name) ? 1 : 0)) return `the backend saw ${name} ${times} times`;
  }
  return null;
}

/** Of the same token some seconds later. */
const isSame = (name: string, seen: string | undefined, right: string | null): boolean =>
  name === "expires-in" ? Number(right) - Number(seen) >= 0 && Number(seen) > 0 : seen === right;

/** Sends the attack, and returns the status of the first answer; null if the connection was closed without one. */
export function attack({ target, headers }: Attack, token: string, tls: ConnectionOptions): Promise<number | null> {
  const lines = [`GET ${target} HTTP/1.1`, "Host: localhost", `Authorization: Bearer ${token}`, ...headers];
  const closing = headers.some((line) => line.startsWith("Connection:")) ? [] : ["Connection: close"];
  return new Promise((resolve) => {
    const socket = connect({ ...tls, servername: "localhost", rejectUnauthorized: false }, () =>
      socket.write(`${[...lines, ...closing].join("\r\n")}\r\n\r\n`),
    );
    let answer = "";
    socket.on("data", (text) => (answer += text));
    socket.on("error", () => {});
    socket.on("close", () => resolve(Number(/^HTTP\/1\.[01] (\d{3})/.exec(answer)?.[1] ?? 0) || null));
  });
}
