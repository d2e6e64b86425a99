/** What of a recorded answer a later release may say in other words, and what it may not. */
import { beforeAll, describe, expect, test } from "vitest";
import { MAY_BE_ABSENT } from "../../../../src/evidence/replay/differences.ts";
import { replay } from "../../../../src/evidence/replay/replay.ts";
import { VERSION } from "../../../../src/platform/version.ts";
import { textDocument } from "../../../../src/psp-check/basis.ts";
import { pspCheckLatest } from "../../../../src/routes/psp/eidas.answer.ts";
import { loadSandbox, type Recorded, record } from "./recorded.ts";

/** Sets the value at a path such as `a.b[0].c`; undefined removes it. */
function put(answer: object, path: string, value: unknown): void {
  const names = path.split(/[.[\]]+/).filter((name) => name !== "");
  const last = names.pop() ?? "";
  const place = names.reduce<object>((found, name) => Object(Reflect.get(found, name)), answer);
  if (value === undefined && Reflect.get(place, last) === undefined) throw new Error(`there is no ${path}`);
  if (value !== undefined) Reflect.set(place, last, value);
  else if (Array.isArray(place)) place.splice(Number(last), 1);
  else Reflect.deleteProperty(place, last);
}

/** The same record, had its answer had these values. */
function recordedWith({ record, documents }: Recorded, values: Readonly<Record<string, unknown>>): Recorded {
  const answer = JSON.parse(new TextDecoder().decode(documents.get(record.answer ?? "")));
  for (const [path, value] of Object.entries(values)) put(answer, path, value);
  const { sha256, bytes } = textDocument(JSON.stringify(answer));
  return {
    record: { ...record, answer: sha256 },
    documents: new Map([...documents, [sha256, bytes()]]),
  };
}

/** Of a PSP whose issuer is revoked, asked for abroad: it has reasons, codes, sentences and facts of both registers. */
let kept: Recorded;
beforeAll(async () => {
  kept = await record(await loadSandbox(), { name: "chain-revoked-issuer", jurisdiction: "XY" });
});

const again = ({ record, documents }: Recorded) => replay(record, async (sha256) => documents.get(sha256) ?? null);
const SENTENCES = [
  ...["eIDAS.warning[0]", "homeRegister.warning[0]", "hostRegister.warning[1]"],
  ...["decision.payments.reasons[0].message", "decision.accounts.reasons[1].message", "evidence.oldest.name"],
];

describe("a text that was reworded since is a note, and the answer equal", () => {
  test.each(SENTENCES)("%s", async (path) => {
    expect(await again(recordedWith(kept, { [path]: "In other words" }))).toEqual({
      ...{ ok: true, equal: true, compared: "answer" },
      notes: {
        first: [{ path: `answer.${path}`, recorded: "In other words", replayed: expect.any(String) }],
        ...{ count: 1, releases: { recorded: "0.4.0", replayed: VERSION } },
      },
    });
  });

  test("all of them at once; so is a member that a later release has added", async () => {
    const values = Object.fromEntries(SENTENCES.map((path) => [path, "In other words"]));
    expect(await again(recordedWith(kept, { ...values, "evidence.path": undefined }))).toMatchObject({
      ...{ equal: true, notes: { count: SENTENCES.length + 1 } },
    });
  });

  test("so is another order of members", async () => {
    const turned = recordedWith(recordedWith(kept, { "evidence.certificate": undefined }), {
      "evidence.certificate": kept.record.checks[0]?.certificate,
    });
    expect(await again(turned)).toMatchObject({ equal: true, notes: { first: [{ path: "answer" }], count: 1 } });
  });
});

describe("still a difference is another", () => {
  test.each<[string, string, unknown]>([
    ["verdict", "eIDAS.validity.notRevoked", true],
    ["name on the certificate", "eIDAS.data.pspSubjectName", "Somebody"],
    ["decision", "decision.payments.allowed", true],
    ["code of a reason", "decision.payments.reasons[0].code", "unauthorised"],
    ["whose reason it is", "decision.payments.reasons[0].whose", "source"],
    ["number of reasons", "decision.payments.reasons[1]", undefined],
    ["code of a warning", "eIDAS.warning_codes[0]", "certificate_expired"],
    ["number of warnings", "hostRegister.warning[1]", undefined],
    ["list of warnings, where there was none", "eIDAS.warning", undefined],
    ["status in a register", "homeRegister.categoryEntries[0].pspAuthStatus", "Withdrawn"],
    ["name in a register", "homeRegister.categoryEntries[0].pspLegalName", "Somebody"],
    ["passport that was not recorded", "homeRegister.categoryEntries[0].passportOut", undefined],
    ["register that was not recorded", "hostRegister", undefined],
    ["issuer on the path", "evidence.path[1].sha256", "0"],
    ["member that is gone", "evidence.gone", 1],
  ])("%s", async (_, path, value) => {
    expect(await again(recordedWith(kept, { [path]: value }))).toMatchObject({
      ...{ ok: true, equal: false, difference: { path: `answer.${path}` } },
    });
  });
});

test("the members that an answer may lack are those of the contract: another that was not recorded is an added one", () => {
  const optional = new Set<string>();
  const visit = (schema: unknown): void => {
    const {
      shape = {},
      element,
      def,
    } = schema as {
      readonly shape?: Readonly<Record<string, { readonly def: { readonly type: string } }>>;
      readonly element?: unknown;
      readonly def?: { readonly innerType?: unknown };
    };
    for (const [name, member] of Object.entries(shape)) {
      if (member.def.type === "optional") optional.add(name);
      visit(member);
    }
    for (const inner of [element, def?.innerType]) if (inner) visit(inner);
  };
  visit(pspCheckLatest);
  // a handler leaves out these two with version 1
  expect([...MAY_BE_ABSENT].sort()).toEqual([...optional, "decision", "evidence"].sort());
});
