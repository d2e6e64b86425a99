/** Interface, "Authorization code and redirect record" and POST /v1/oauth2/authorization_codes. */
import { describe, expect } from "vitest";
import {
  askForCode,
  askForObieCode,
  askForToken,
  ccg,
  codeOf,
  createConsent,
  eidas,
  errorForm,
  newAccount,
  REDIRECT_URI,
  verdictOf,
} from "./bank.ts";
import { says } from "./says.ts";

const CODE = expect.stringMatching(/^[0-9a-f]{64}\.[\w-]{43}\.\w+\.\w+\.[\w-]{43}$/);

describe("Authorization code and redirect record", () => {
  // that 59.999 seconds are within and 60.000 are not: test/worker/grants/authorization-code.test.ts, with a clock of its own
  says(
    "Authorization code and redirect record",
    "a code of one PSP is denied to another PSP and another redirect URI, and works once",
    async () => {
      const account = newAccount();
      const code = codeOf(await askForCode(account));
      expect(verdictOf(await askForToken(account, code, {}, await eidas("accounts-only")))).toEqual([
        403,
        "code_unknown",
      ]);
      const elsewhere = { redirect_uri: `${REDIRECT_URI}/` };
      expect(verdictOf(await askForToken(account, code, elsewhere))).toEqual([403, "redirect_uri_mismatch"]);
      expect((await askForToken(account, code)).status).toBe(201);
    },
  );
  says("Authorization code and redirect record", "of twenty uses at the same instant one is granted", async () => {
    const account = newAccount();
    const code = codeOf(await askForCode(account));
    const answers = await Promise.all(Array.from({ length: 20 }, () => askForToken(account, code)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 403)).toHaveLength(19);
  });
  says("Authorization code and redirect record", "full_uri is base_uri?code=...&state=...", async () => {
    const { redirect_uri } = (await askForCode(newAccount(), { state: "af0ifjsldkj" })).body.data;
    expect(redirect_uri.full_uri).toBe(`${REDIRECT_URI}?code=${redirect_uri.parameters.code}&state=af0ifjsldkj`);
  });
  says("Authorization code and redirect record", "base_uri is the redirect_uri, letter for letter", async () => {
    const given = "HTTPS://PSP.example:443/a/../b%2f?x=1&y=";
    const { redirect_uri } = (await askForCode(newAccount(), { redirect_uri: given })).body.data;
    expect(redirect_uri.base_uri).toBe(given);
    expect(redirect_uri.full_uri).toBe(`${given}&code=${redirect_uri.parameters.code}`);
  });
  says("Authorization code and redirect record", "the sandbox calls back on the same machine", async () => {
    const given = "http://127.0.0.1:4000/callback";
    const { redirect_uri } = (await askForCode(newAccount(), { redirect_uri: given })).body.data;
    expect(redirect_uri.base_uri).toBe(given);
  });
  says(
    "Authorization code and redirect record",
    "parameters.state is there as it was given, or not at all",
    async () => {
      const state = "ä&=+ 😀%20\"'";
      const { redirect_uri } = (await askForCode(newAccount(), { state })).body.data;
      expect(redirect_uri.parameters).toEqual({ code: CODE, state });
      expect(new URL(redirect_uri.full_uri).searchParams.get("state")).toBe(state);
      expect((await askForCode(newAccount())).body.data.redirect_uri.parameters).toEqual({ code: CODE });
    },
  );
  says(
    "Authorization code and redirect record",
    "the error form's full_uri carries error, error_description and state, percent-encoded",
    async () => {
      const answer = await askForCode(
        newAccount(),
        { scope: "payments", state: "a b&c" },
        await eidas("accounts-only"),
      );
      const { parameters, full_uri } = answer.body.data.redirect_uri;
      expect(full_uri).toBe(
        `${REDIRECT_URI}?error=invalid_scope&error_description=${encodeURIComponent(parameters.error_description)}&state=a%20b%26c`,
      );
    },
  );
});

describe("POST /v1/oauth2/authorization_codes", () => {
  says("POST /v1/oauth2/authorization_codes", "the whole body of a redirect record", async () => {
    const answer = await askForCode(newAccount(), { state: "s" });
    expect(answer.status).toBe(201);
    const code = codeOf(answer);
    expect(answer.body).toEqual({
      data: {
        redirect_uri: {
          base_uri: REDIRECT_URI,
          parameters: { code: CODE, state: "s" },
          full_uri: `${REDIRECT_URI}?code=${code}&state=s`,
        },
      },
    });
    expect(answer.headers.get("Cache-Control")).toBe("no-store");
  });
  says(
    "POST /v1/oauth2/authorization_codes",
    "a scope that is neither word, in the core flow and in open banking",
    async () => {
      const scope = "openid accounts";
      const core = await askForCode(newAccount(), { scope, state: "s" });
      const headers = await ccg();
      const obie = await askForObieCode(headers, (await createConsent(headers)).body.data.consent_id, { scope });
      for (const answer of [core, obie]) {
        expect([answer.status, answer.body.errors]).toEqual([403, errorForm("payment_service_invalid").errors]);
        expect(answer.body.data.redirect_uri).toMatchObject({
          base_url: REDIRECT_URI,
          parameters: { error: "invalid_scope" },
        });
      }
    },
  );
  says("POST /v1/oauth2/authorization_codes", "the whole body of a scope that the PSP may not use", async () => {
    const query = { scope: "payments", state: "s" };
    const answer = await askForCode(newAccount(), query, await eidas("accounts-only"));
    expect(answer.status).toBe(403);
    expect(answer.body).toEqual({
      data: {
        redirect_uri: {
          base_url: REDIRECT_URI,
          parameters: { error: "invalid_scope", error_description: expect.any(String), state: "s" },
          full_uri: expect.stringContaining(`${REDIRECT_URI}?error=invalid_scope&error_description=`),
        },
      },
      ...errorForm("payment_service_invalid"),
    });
  });
});
