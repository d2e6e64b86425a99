/**
 * The sign-in of a person at the provider of their institution. It begins with a link, since `form-action 'self'` lets no form be
 * redirected to the provider.
 */
import { recordAct } from "../act.ts";
import { show } from "../frame.tsx";
import { isFirst } from "../once.ts";
import { decodeSegment, type Page, PageProblem, type Visit } from "../page.ts";
import { replaceByPerson } from "../sessions.ts";
import { readName, readRoles } from "./claims.ts";
import { absoluteAddress, findWithProvider, type InstitutionWithProvider } from "./institution.ts";
import { passesSignInLimit, SIGN_IN_LIMIT_SECONDS } from "./limit.ts";
import { institutionAddress, nextPage } from "./next-page.ts";
import { nameProviderSession } from "./provider-sign-out.tsx";
import { type BegunSignIn, keepSignIn, SIGN_IN_LIFETIME_MS, takeSignIn } from "./sign-in-cookie.ts";

const PLACE = "/console/sign-in/{reference}";
const CALLBACK = "/callback";

/** The same for every reference: whether there is such an institution it does not say. */
export const institutionSignIn: Page = {
  path: PLACE,
  menu: null,
  roles: "everyone",
  get: async (visit) => {
    const { c, href, params } = visit;
    const reference = decodeSegment(params["reference"]);
    const next = nextPage(c.req.query("next") ?? "");
    const query = new URLSearchParams({ next });
    const children = (
      <div class="stack card">
        <p>
          For people of <code>{reference}</code>. You sign in where your organisation always asks who you are.
        </p>
        <p>
          <a class="button" href={href(`${institutionAddress(reference)}/provider?${query}`)}>
            Sign in at your organisation
          </a>
        </p>
        <p class="muted">
          You are signed out after 30 minutes without a click, and after 12 hours in any case.{" "}
          <a href={href(`/console/sign-in?${query}`)}>Sign in another way</a>
        </p>
      </div>
    );
    return await show(visit, { title: "Sign in", narrow: true, children });
  },
};

export const beginSignIn: Page = { path: `${PLACE}/provider`, menu: null, roles: "everyone", get: begin };
export const finishSignIn: Page = { path: `${PLACE}${CALLBACK}`, menu: null, roles: "everyone", get: finish };

/** Of the page to show then: with all else it fits into a cookie, of which browsers keep four thousand characters. */
const MAX_NEXT_CHARACTERS = 1_000;

async function begin({ c, now, params }: Visit): Promise<Response> {
  const reference = decodeSegment(params["reference"]);
  if (!(await passesSignInLimit(c, reference))) throw fail("limited");
  const asked = await findWithProvider(c, reference);
  if (!asked) throw fail("no provider");
  const { beginAt, makeProof } = await import("./provider.ts");
  const proof = makeProof();
  const redirectUri = absoluteAddress(c, reference, CALLBACK);
  const address = await beginAt(c.env, asked.provider, proof, redirectUri, now).catch((error: unknown) => {
    logFailure(asked, error);
    throw fail("unreachable");
  });
  const asks = c.req.query("next") ?? "";
  const next = nextPage(asks.length <= MAX_NEXT_CHARACTERS ? asks : "");
  keepSignIn(c, { ...proof, reference, version: asked.provider.version, next, endsAt: now + SIGN_IN_LIFETIME_MS });
  return c.redirect(address, 303);
}

async function finish(visit: Visit): Promise<Response> {
  const { c, now, params, href } = visit;
  const reference = decodeSegment(params["reference"]);
  const begun = takeSignIn(c, now);
  if (begun?.reference !== reference) throw fail("not begun");
  const asked = await findWithProvider(c, reference);
  if (asked?.provider.version !== begun.version) throw fail("changed");
  // before the provider is asked: of two requests with one code it would refuse both
  if (!(await isFirst(c.env.DB, `sign-in ${begun.state}`, begun.endsAt))) throw fail("used");
  const { fi, provider } = asked;
  const claims = await readClaims(visit, asked, begun);
  const reading = readRoles(claims, provider);
  if (!reading.ok) throw fail(reading.reason, provider.claim);
  const { roles } = reading;
  const subject = String(claims["sub"]);
  const person = { fiId: fi.id, issuer: provider.issuer, subject, name: readName(claims), roles };
  const sid = claims["sid"];
  const providerSid = typeof sid === "string" ? nameProviderSession(provider.issuer, sid) : null;
  const tag = await replaceByPerson(c, person, { providerVersion: provider.version, providerSid }, now);
  if (tag === null) throw fail("changed");
  await recordAct(c, fi, { event: "session.start", endpoint: `GET ${PLACE}${CALLBACK}`, person: tag });
  return c.redirect(href(begun.next), 303);
}

async function readClaims({ c, now }: Visit, asked: InstitutionWithProvider, begun: BegunSignIn) {
  const { finishAt } = await import("./provider.ts");
  const addresses = { callback: new URL(c.req.url), redirectUri: absoluteAddress(c, begun.reference, CALLBACK) };
  return await finishAt(c.env, asked.provider, begun, addresses, now).catch((error: unknown) => {
    logFailure(asked, error);
    throw fail("refused");
  });
}

/** What was wrong, without what was sent: that may be a code or a token. */
function logFailure({ fi }: InstitutionWithProvider, error: unknown): void {
  const { name, message, code } = error as Error & { code?: unknown };
  console.error(JSON.stringify({ event: "sign_in_failed", fi: fi.fiReferenceId, error: message, name, code }));
}

type Failure =
  | "limited"
  | "no provider"
  | "unreachable"
  | "not begun"
  | "used"
  | "refused"
  | "changed"
  | "no role"
  | "too many groups";

function fail(failure: Failure, claim = ""): PageProblem {
  const problem = (status: 400 | 403 | 409 | 429 | 503, heading: string, text: string, headers = {}) =>
    new PageProblem({ status, code: `sign_in_${failure.replaceAll(" ", "_")}`, heading, text }, headers);
  switch (failure) {
    case "limited":
      return problem(429, "Too many sign-ins", "Too many sign-ins began from your address. Try again in a minute.", {
        "Retry-After": String(SIGN_IN_LIMIT_SECONDS),
      });
    case "no provider":
      return problem(
        403,
        "Nobody signs in here as themselves",
        "There is no such institution, or its operator has set no provider for its people (fi sign-in set).",
      );
    case "unreachable":
      return problem(
        503,
        "Your organisation's sign-in cannot be reached",
        "Try again in a moment. If it stays so, tell the service's operator: the log says why.",
      );
    case "not begun":
      return problem(
        400,
        "This sign-in did not begin here",
        "It was begun in another browser, or more than ten minutes ago. Begin again.",
      );
    case "used":
      return problem(400, "This sign-in was used already", "Each counts once. Begin again.");
    case "refused":
      return problem(
        400,
        "The sign-in was not taken",
        "What your organisation's sign-in answered did not verify, or it refused you. Begin again. If it stays so, tell the service's operator: the log says why.",
      );
    case "changed":
      return problem(
        409,
        "The sign-in has changed meanwhile",
        "The institution's provider was set anew, or has signed you out. Begin again.",
      );
    case "no role":
      return problem(
        403,
        "Your account has no role here",
        `None of the groups in the claim “${claim}” of your account is one that your institution has named. Ask whoever manages your account.`,
      );
    case "too many groups":
      return problem(
        403,
        "Your account has too many groups",
        `Your organisation's sign-in left the claim “${claim}” out, because the account has more groups than it sends. Whoever manages it can send only the groups of this application.`,
      );
  }
}
