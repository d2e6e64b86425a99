import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { proveAnswer } from "../../../src/revocation/revocation-status.ts";

const der = Uint8Array.of(1, 2, 3);
const response = { der, crlNumber: null };
const sha256 = createHash("sha256").update(der).digest("hex");
const span = { thisUpdate: 1_000, nextUpdate: 3_000 };

test("good and revoked are proven, by when the answer was produced and else by its thisUpdate", () => {
  const produced = { ...span, producedAt: 2_000 };
  expect(proveAnswer("http://a.test/", response, { status: "good", ...produced })).toEqual({
    url: "http://a.test/",
    producedAt: 2_000,
    crlNumber: null,
    sha256,
  });
  const revoked = { status: "revoked", revokedAt: 500, reason: null } as const;
  expect(proveAnswer(null, response, { ...revoked, ...produced })).toEqual({
    url: null,
    producedAt: 2_000,
    crlNumber: null,
    sha256,
  });
  expect(proveAnswer(null, { der, crlNumber: 2n ** 90n }, { status: "good", ...span })).toEqual({
    url: null,
    producedAt: 1_000,
    crlNumber: "1237940039285380274899124224",
    sha256,
  });
});

test("an answer that knows nothing proves nothing", () => {
  expect(proveAnswer(null, response, { status: "unknown", ...span, producedAt: 2_000 })).toBeNull();
  expect(proveAnswer(null, response, { status: "unusable", reason: "stale", message: "" })).toBeNull();
});
