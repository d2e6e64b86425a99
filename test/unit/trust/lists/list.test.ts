/** What is read of a verified list: services, their history, names, countries. */
import { beforeAll, describe, expect, test } from "vitest";
import {
  bytesOf,
  type Content,
  identity,
  listContent,
  makeSigner,
  type Signer,
  signList,
  XADES,
} from "../../../../fixtures/makers/signed-list.ts";
import { toBase64 } from "../../../../src/platform/encoding.ts";
import { answerRefusals } from "../../../../src/trust/lists/elements.ts";
import { readList } from "../../../../src/trust/lists/list.ts";
import { verifyList } from "../../../../src/trust/lists/verify.ts";

let operator: Signer;
let authority: Signer;
let second: Signer;

beforeAll(async () => {
  [operator, authority, second] = await Promise.all([makeSigner(), makeSigner(), makeSigner()]);
});

const read = (content: Content) =>
  answerRefusals(async () => {
    const bytes = bytesOf(await signList(listContent(content), operator));
    return { ok: true as const, list: readList(await verifyList(bytes, () => [operator.der])) };
  });

const SERVICE_TYPE = "http://uri.etsi.org/TrstSvc/Svctype/";
const CA_QC = `${SERVICE_TYPE}CA/QC`;

interface Entry {
  readonly type?: string;
  readonly status: string;
  readonly from: string;
  readonly uses?: readonly string[];
  readonly identities?: string;
  readonly name?: string;
  /** A policy that makes a certificate no qualified one. */
  readonly notQualified?: string;
}

const SIE = "http://uri.etsi.org/TrstSvc/SvcInfoExt/eSigDir-1999-93-EC-TrustedList/#";
const notQualifiedBy = (policy: string) =>
  `<Extension Critical="true"><q:Qualifications xmlns:q="${SIE}"><q:QualificationElement><q:Qualifiers><q:Qualifier uri="http://uri.etsi.org/TrstSvc/TrustedList/SvcInfoExt/NotQualified"></q:Qualifier></q:Qualifiers><q:CriteriaList assert="all"><q:PolicySet><q:PolicyIdentifier><x:Identifier xmlns:x="${XADES}">${policy}</x:Identifier></q:PolicyIdentifier></q:PolicySet></q:CriteriaList></q:QualificationElement></q:Qualifications></Extension>`;

function entry({ type = CA_QC, status, from, uses = [], identities, name, notQualified }: Entry): string {
  const extension = (use: string) =>
    `<Extension Critical="true"><AdditionalServiceInformation><URI xml:lang="en">http://uri.etsi.org/TrstSvc/TrustedList/SvcInfoExt/${use}</URI></AdditionalServiceInformation></Extension>`;
  const names = name ?? '<Name xml:lang="cs">Autorita</Name><Name xml:lang="en">Authority</Name>';
  const ski = "<DigitalId><X509SKI>MTIz</X509SKI></DigitalId>";
  return `<ServiceTypeIdentifier>${type}</ServiceTypeIdentifier><ServiceName>${names}</ServiceName><ServiceDigitalIdentity>${identities ?? ski}</ServiceDigitalIdentity><ServiceStatus>${status.includes(":") ? status : `http://uri.etsi.org/TrstSvc/TrustedList/Svcstatus/${status}`}</ServiceStatus><StatusStartingTime>${from}</StatusStartingTime><ServiceInformationExtensions>${uses.map(extension).join("")}${notQualified ? notQualifiedBy(notQualified) : ""}</ServiceInformationExtensions>`;
}

const service = (current: Entry, history: readonly Entry[] = []) =>
  `<TSPService><ServiceInformation>${entry({ identities: identity(authority.der), ...current })}</ServiceInformation><ServiceHistory>${history.map((one) => `<ServiceHistoryInstance>${entry(one)}</ServiceHistoryInstance>`).join("")}</ServiceHistory></TSPService>`;

const provider = (...services: string[]) =>
  `<TrustServiceProvider><TSPInformation><TSPName><Name xml:lang="cs">Důvěra a.s.</Name><Name xml:lang="en">Trust Ltd</Name></TSPName></TSPInformation><TSPServices>${services.join("")}</TSPServices></TrustServiceProvider>`;

const GRANTED: Entry = {
  status: "granted",
  from: "2019-05-01T12:00:00Z",
  uses: ["ForWebSiteAuthentication", "ForeSeals"],
};

describe("a CA/QC service", () => {
  test("becomes an anchor with its history, oldest first, each period with its own uses", async () => {
    const history: Entry[] = [
      { status: "granted", from: "2016-06-30T22:00:00Z", uses: ["ForeSignatures", "RootCA-QC"] },
      { status: "accredited", from: "2010-01-01T00:00:00Z" },
    ];
    expect(await read({ providers: provider(service(GRANTED, history)) })).toMatchObject({
      ok: true,
      list: {
        trustServiceProviders: 1,
        services: 1,
        caQc: 1,
        caQcGranted: 1,
        caQcGrantedForWebSiteAuthentication: 1,
        caQcGrantedForeSeals: 1,
        skipped: [],
        anchors: [
          {
            certificate: toBase64(authority.der),
            source: "eIDAS",
            jurisdiction: "CZ",
            qtspName: "Trust Ltd",
            serviceName: "Authority",
            periods: [
              { status: "accredited", from: "2010-01-01T00:00:00Z", uses: null },
              { status: "granted", from: "2016-06-30T22:00:00Z", uses: ["signature"] },
              { status: "granted", from: "2019-05-01T12:00:00Z", uses: ["web-authentication", "seal"] },
            ],
          },
        ],
      },
    });
  });

  const anchorsOf = async (...services: string[]) => {
    const answer = await read({ providers: provider(...services) });
    if (!answer.ok) throw new Error(answer.message);
    return answer.list.anchors;
  };

  test("keeps what its list says of single certificates with the period that it is said in", async () => {
    const history = [{ ...GRANTED, from: "2017-01-01T00:00:00Z", notQualified: "1.2.3" }];
    const [anchor] = await anchorsOf(service({ ...GRANTED, notQualified: "1.2.4" }, history));
    const says = (policy: string) => [
      { qualifiers: ["NotQualified"], criteria: { all: [{ policies: [policy] }] }, critical: true },
    ];
    expect(anchor?.periods.map(({ qualifications }) => qualifications)).toEqual([says("1.2.3"), says("1.2.4")]);
    const [other] = await anchorsOf(service(GRANTED));
    expect(other?.periods[0]).not.toHaveProperty("qualifications");
  });

  test("granted without a use is granted for none", async () => {
    const [anchor] = await anchorsOf(service({ ...GRANTED, uses: [] }));
    expect(anchor?.periods[0]?.uses).toEqual([]);
  });

  test("that is withdrawn still has its uses: with them it speaks against another entry of its key", async () => {
    const [anchor] = await anchorsOf(service({ ...GRANTED, status: "withdrawn", uses: ["ForeSeals"] }));
    expect(anchor?.periods[0]).toMatchObject({ status: "withdrawn", uses: ["seal"] });
  });

  test("of several certificates becomes an anchor for each", async () => {
    const identities = identity(authority.der) + identity(second.der);
    const anchors = await anchorsOf(service({ ...GRANTED, identities }));
    expect(anchors.map((anchor) => anchor.certificate)).toEqual([authority, second].map((one) => toBase64(one.der)));
  });

  test.each([
    ["nothing", ""],
    ["X509SKI", "<DigitalId><X509SKI>MTIz</X509SKI></DigitalId>"],
    [
      "X509SubjectName, X509SKI",
      "<DigitalId><X509SubjectName>CN=Authority</X509SubjectName></DigitalId><DigitalId><X509SKI>MTIz</X509SKI></DigitalId><DigitalId><X509SKI>NDU2</X509SKI></DigitalId>",
    ],
  ])(
    "without a certificate, named by %s, becomes none, is counted, and is said to be left out",
    async (forms, identities) => {
      const answer = await read({ providers: provider(service({ ...GRANTED, identities }), service(GRANTED)) });
      const left = `Trust Ltd: Authority: left out: the list has no certificate of it, and names it by ${forms}`;
      expect(answer).toMatchObject({ list: { caQc: 2, caQcGranted: 2, anchors: [{}], skipped: [left] } });
    },
  );

  test("with a certificate that is no base64 is said to be without it, and keeps its others", async () => {
    const broken = "<DigitalId><X509Certificate>MIIB?</X509Certificate></DigitalId>";
    const identities = broken + identity(authority.der);
    const answer = await read({ providers: provider(service({ ...GRANTED, identities })) });
    const left = "Trust Ltd: Authority: certificate left out: it is not base64";
    expect(answer).toMatchObject({ list: { anchors: [{}], skipped: [left] } });
    const alone = await read({ providers: provider(service({ ...GRANTED, identities: broken })) });
    expect(alone).toMatchObject({ list: { anchors: [], skipped: [left] } });
  });

  test.each<[what: string, others: string[], remarks: string[]]>([
    ["once", [], []],
    [
      "twice with one status, is told for each use that both have",
      ["granted"],
      ["Trust Ltd: Authority: 2 entries for seal have its key, each granted"],
    ],
    ["twice with two statuses, is not: that ends its use", ["withdrawn"], []],
  ])("that is listed %s", async (_, others, remarks) => {
    const again = others.map((status) => service({ ...GRANTED, status, uses: ["ForeSeals", "ForeSignatures"] }));
    expect(await read({ providers: provider(service(GRANTED), ...again) })).toMatchObject({
      ok: true,
      list: { anchors: { length: 1 + others.length }, remarks },
    });
  });

  test("with an unreadable certificate is left out by name, and the others stay", async () => {
    const broken = identity(bytesOf("no certificate"));
    const answer = await read({ providers: provider(service({ ...GRANTED, identities: broken }), service(GRANTED)) });
    expect(answer).toMatchObject({
      list: { caQc: 2, anchors: [{}], skipped: [expect.stringMatching(/^Trust Ltd: Authority: certificate left out/)] },
    });
  });

  test("whose history is out of order is left out by name", async () => {
    const history = [{ ...GRANTED, from: "2020-01-01T00:00:00Z" }];
    const answer = await read({ providers: provider(service(GRANTED, history)) });
    expect(answer).toMatchObject({ list: { caQc: 1, anchors: [], skipped: [expect.stringContaining("order")] } });
  });

  // else the older entry would seem to last until the newest one (TS 119 615 PRO-4.3.4-03 (b))
  test("was no CA/QC service while its history says another type, whatever its status", async () => {
    const history = [
      { ...GRANTED, type: `${SERVICE_TYPE}CA/PKC`, from: "2018-01-01T00:00:00Z" },
      { ...GRANTED, from: "2017-01-01T00:00:00Z" },
    ];
    const [anchor] = await anchorsOf(service({ ...GRANTED, from: "2019-01-01T00:00:00Z" }, history));
    expect(anchor?.periods.map(({ from, status, uses }) => [from, status, uses])).toEqual([
      ["2017-01-01T00:00:00Z", "granted", ["web-authentication", "seal"]],
      ["2018-01-01T00:00:00Z", `${SERVICE_TYPE}CA/PKC`, null],
      ["2019-01-01T00:00:00Z", "granted", ["web-authentication", "seal"]],
    ]);
  });

  test("with a status of another vocabulary keeps the whole URI, so that no rule mistakes it for a known one", async () => {
    const [anchor] = await anchorsOf(service({ ...GRANTED, status: "http://lists.example/Svcstatus/granted" }));
    expect(anchor?.periods[0]?.status).toBe("http://lists.example/Svcstatus/granted");
  });

  test("is not confused with a service whose type only resembles it", async () => {
    const answer = await read({ providers: provider(service({ ...GRANTED, type: `${CA_QC}2` })) });
    expect(answer).toMatchObject({ list: { services: 1, caQc: 0, anchors: [] } });
  });

  test("is called by its first name when it has no English one", async () => {
    const [anchor] = await anchorsOf(service({ ...GRANTED, name: '<Name xml:lang="cs">Jedna</Name>' }));
    expect(anchor?.serviceName).toBe("Jedna");
  });
});

describe("the scheme", () => {
  test.each([
    ["EL", "GR"],
    ["UK", "GB"],
    ["CZ", "CZ"],
    ["EU", "EU"],
  ])("of %s is for %s", async (territoryOnList, territory) => {
    expect(await read({ territory: territoryOnList })).toMatchObject({ list: { territory, territoryOnList } });
  });

  test("says its version, number and dates", async () => {
    expect(await read({ version: "5", sequenceNumber: 181 })).toMatchObject({
      list: {
        kind: "national",
        version: 5,
        sequenceNumber: 181,
        issued: "2026-08-09T20:30:00Z",
        nextUpdate: "2027-02-07T21:30:00Z",
        signatureAlgorithm: "ecdsa-sha256",
      },
    });
  });

  test("of a national list may name no other list", async () => {
    expect(await read({ pointers: null })).toMatchObject({ list: { pointers: [], pivots: [] } });
  });

  test("of a closed list has no next update", async () => {
    expect(await read({ nextUpdate: "" })).toMatchObject({ list: { nextUpdate: null } });
  });

  const national = "http://uri.etsi.org/TrstSvc/TrustedList/TSLType/EUgeneric";
  test.each<[what: string, content: Content]>([
    ["an unknown version", { version: "4" }],
    ["a version that is no number", { version: "six" }],
    ["an unknown type", { type: "http://uri.etsi.org/TrstSvc/TrustedList/TSLType/CClist" }],
    ["a national type for the Union", { territory: "EU", type: national }],
    ["a country that is none", { territory: "Czechia" }],
    ["a date without a time zone", { nextUpdate: "<dateTime>2027-02-07T21:30:00</dateTime>" }],
    ["a date that does not exist", { nextUpdate: "<dateTime>2027-13-07T21:30:00Z</dateTime>" }],
    ["two next updates", { nextUpdate: `${"<dateTime>2027-02-07T21:30:00Z</dateTime>".repeat(2)}` }],
    ["an element where text belongs", { nextUpdate: "<dateTime>2027-02-07T21:30:00Z<b></b></dateTime>" }],
  ])("with %s is refused", async (_what, content) => {
    expect(await read(content)).toMatchObject({ ok: false, reason: "content" });
  });
});
