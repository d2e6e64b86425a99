/** The cases that ../peers.ts asks about: their file, and those of the path suites of the shared data. */
import { writeFile } from "node:fs/promises";
import { clock } from "../../../src/platform/clock.ts";
import { judgeCase } from "../../conformance/exceptions.ts";
import { pathSuites } from "../../conformance/path.ts";
import { readPems } from "../../conformance/pem.ts";
import { readShared } from "../../shared-data.ts";

/** One line of a file: its fields with a tab between, lists with a comma, DER in base64. Answers are in the path's order. */
export interface PeerCase {
  readonly time: number;
  readonly anchors: readonly Uint8Array[];
  readonly issuers: readonly Uint8Array[];
  readonly leaf: Uint8Array;
  readonly crls: readonly Uint8Array[];
  readonly answers: readonly Uint8Array[];
}

const encode = (ders: readonly Uint8Array[]): string => ders.map((der) => Buffer.from(der).toString("base64")).join();

export const writeCases = (file: string, cases: readonly PeerCase[]): Promise<void> =>
  writeFile(
    file,
    cases
      .map(({ time, anchors, issuers, leaf, crls, answers }) =>
        [time, ...[anchors, issuers, [leaf], crls, answers].map(encode)].join("\t"),
      )
      .join("\n"),
  );

interface Testcase {
  readonly trusted_certs: readonly string[];
  readonly untrusted_intermediates: readonly string[];
  readonly peer_certificate: string;
  readonly validation_time: string | null;
  readonly expected_result: "SUCCESS" | "FAILURE";
  readonly crls?: readonly string[];
}

/**
 * A case without a time is asked as of now. Left out is a case that does not apply by the conformance suite: it would be refused
 * for a name, a purpose or a rule of the web's CAs, which none of the programs is asked for here.
 */
export async function readPathCases(suite: string) {
  const path = `paths/${suite}.json`;
  const text = readShared(path);
  const json = JSON.parse(text) as { testcases: readonly Testcase[] };
  const now = clock.now();
  const known = pathSuites.read({ path, bytes: Buffer.from(text), json }, now);
  const cases: (PeerCase & { readonly expected: boolean })[] = [];
  let left = 0;
  for (const [i, one] of json.testcases.entries()) {
    const judged = known[i];
    if (judged && judgeCase(judged, await judged.run()).outcome === "not-applicable") left++;
    else
      cases.push({
        time: one.validation_time === null ? now : Date.parse(one.validation_time),
        anchors: one.trusted_certs.flatMap(readPems),
        issuers: one.untrusted_intermediates.flatMap(readPems),
        leaf: readPems(one.peer_certificate)[0] ?? new Uint8Array(0),
        crls: (one.crls ?? []).flatMap(readPems),
        answers: [],
        expected: one.expected_result === "SUCCESS",
      });
  }
  return { cases, left };
}
