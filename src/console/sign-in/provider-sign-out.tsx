/** The end of a session at the provider: a person who signs out here goes on there, and whom it signs out is signed out here. */
import { html } from "hono/html";
import type { FinancialInstitution } from "../../institutions/financial-institutions.ts";
import { PEOPLE_STATEMENTS } from "../../institutions/people.ts";
import { findProvider } from "../../institutions/sign-in-provider.ts";
import { hashSecret } from "../../platform/secrets.ts";
import { callStore } from "../../platform/stores.ts";
import { recordAct } from "../act.ts";
import { textOf } from "../forms.ts";
import { BareFrame } from "../frame.tsx";
import { CONSOLE_ONCE_STATEMENTS } from "../once.ts";
import { decodeSegment, type Page, type Visit } from "../page.ts";
import { CONSOLE_SESSION_STATEMENTS } from "../sessions.ts";
import { showForeignText } from "../wording.ts";
import { absoluteAddress, findWithProvider } from "./institution.ts";
import { institutionAddress } from "./next-page.ts";

/** By which a session is ended when the provider ends its own. */
export const nameProviderSession = (issuer: string, sid: string): string => hashSecret(`session ${issuer} ${sid}`);

/**
 * A page that leads on to the provider, or to the sign-in where it has no such place. It is no redirect: `form-action 'self'` would
 * stop the form that asked for it.
 */
export async function signOutAtProvider({ c, now, href }: Visit, fi: FinancialInstitution): Promise<Response> {
  const back = institutionAddress(fi.fiReferenceId);
  const provider = await findProvider(c.env.DB, fi.id);
  const place = provider && (await (await import("./provider.ts")).findSignOut(c.env, provider.issuer, now));
  if (!provider || !place) return c.redirect(href(back), 303);
  const address = new URL(place);
  address.searchParams.set("client_id", provider.clientId);
  address.searchParams.set("post_logout_redirect_uri", absoluteAddress(c, fi.fiReferenceId));
  const page = await html`<!doctype html>${(
    <BareFrame
      {...{ title: "You are signed out here", href }}
      head={<meta http-equiv="refresh" content={`0;url=${address.href}`} />}
    >
      <p>
        <a href={address.href}>Sign out at your organisation, too</a>
      </p>
    </BareFrame>
  )}`;
  return c.html(showForeignText(page));
}

/** OpenID Connect Back-Channel Logout 1.0: how old a logout token may be, and for how long each `jti` counts once. */
const TOKEN_LIFETIME_MS = 10 * 60_000;
/** A sign-in that was under way when its session ended at the provider begins none (sessions.ts). */
const ENDED_LIFETIME_MS = 24 * 3_600_000;
const LOGOUT_EVENT = "http://schemas.openid.net/event/backchannel-logout";
const PLACE = "/console/sign-in/{reference}/logout";

export const backChannelLogout: Page = {
  path: PLACE,
  menu: null,
  roles: "everyone",
  form: { unrecorded: "the handler records it: nobody has signed in" },
  fromProvider: true,
  post: async (visit, form) => {
    const { c, now, params } = visit;
    const asked = await findWithProvider(c, decodeSegment(params["reference"]));
    const ended = asked && (await takeLogoutToken(visit, asked.provider, textOf(form, "logout_token")));
    if (!ended) return c.json({ error: "invalid_request" }, 400);
    const { sid, sub, jti } = ended;
    const { fi, provider } = asked;
    const [session, token] = [
      nameProviderSession(provider.issuer, sid ?? ""),
      hashSecret(`logout ${provider.issuer} ${jti}`),
    ];
    const first = (sql: string, ...values: (string | number)[]) => c.env.DB.prepare(sql).bind(...values);
    const [taken] = await callStore("D1", () =>
      c.env.DB.batch([
        first(CONSOLE_ONCE_STATEMENTS.insert, token, now + 2 * TOKEN_LIFETIME_MS),
        ...(sid === null
          ? [first(PEOPLE_STATEMENTS.endSessionsOfSubject, fi.id, provider.issuer, sub ?? "")]
          : [
              first(CONSOLE_ONCE_STATEMENTS.insert, session, now + ENDED_LIFETIME_MS),
              first(CONSOLE_SESSION_STATEMENTS.endOfProvider, session),
              first(CONSOLE_SESSION_STATEMENTS.endUnnamed, fi.id, provider.issuer, sub ?? ""),
            ]),
      ]),
    );
    // sent again it has ended nothing new, and is no token any more
    if (taken?.meta.changes !== 1) return c.json({ error: "invalid_request" }, 400);
    await recordAct(c, fi, { event: "session.end", endpoint: `POST ${PLACE}`, status: 200 });
    return c.body(null, 200);
  },
};

/** Section 2.6: null for what is no logout token of this provider for this client. */
async function takeLogoutToken(
  { c, now }: Visit,
  { issuer, clientId }: { readonly issuer: string; readonly clientId: string },
  token: string,
): Promise<{ readonly sid: string | null; readonly sub: string | null; readonly jti: string } | null> {
  const { discover, verifyToken } = await import("./provider.ts");
  try {
    const claims = await verifyToken(c.env, await discover(c.env, issuer, now), token, clientId, now);
    const { sid, sub = null, jti, events, iat = 0 } = claims as typeof claims & { sid?: unknown; events?: unknown };
    const isLogout = typeof events === "object" && events !== null && Object.hasOwn(events, LOGOUT_EVENT);
    const named = typeof sid === "string" ? sid : null;
    if (!isLogout || "nonce" in claims || typeof jti !== "string" || iat * 1000 < now - TOKEN_LIFETIME_MS) return null;
    return named === null && sub === null ? null : { sid: named, sub, jti };
  } catch (error) {
    console.error(JSON.stringify({ event: "logout_token_refused", error: (error as Error).message }));
    return null;
  }
}
