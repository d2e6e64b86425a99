/** A certificate authority that OpenSSL runs in a directory of its own: certificates, CRLs and OCSP responders. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { type Certificate, parseCertificate } from "../../src/x509/certificate.ts";

const CONFIG = `
[ca]
default_ca = here
[here]
dir = .
database = index.txt
certificate = ca.pem
private_key = ca.key
default_md = sha256
crlnumber = crlnumber
crl_extensions = crl
policy = any
[any]
commonName = supplied
[crl]
authorityKeyIdentifier = keyid
[req]
distinguished_name = any
[authority]
basicConstraints = critical,CA:TRUE
keyUsage = critical,keyCertSign,cRLSign
subjectKeyIdentifier = hash
[responder]
extendedKeyUsage = OCSPSigning
keyUsage = critical,digitalSignature
noCheck = ignored
`;

export class OpensslAuthority {
  readonly certificate: Certificate;
  readonly #directory = mkdtempSync(join(tmpdir(), "authority-"));
  readonly #path: string;
  readonly #responders: ChildProcess[] = [];
  #serial = 0x1000;

  /** `openssl`: its path. */
  constructor(openssl: string, name: string) {
    this.#path = openssl;
    this.#write("openssl.cnf", CONFIG);
    this.#write("index.txt", "");
    this.#write("crlnumber", "01\n");
    const subject = ["-subj", `/CN=${name}`, "-keyout", "ca.key", "-out", "ca.pem"];
    this.#openssl(
      "req",
      "-x509",
      ...NEW_KEY,
      ...subject,
      "-days",
      "3650",
      "-config",
      "openssl.cnf",
      "-extensions",
      "authority",
    );
    this.certificate = this.#read("ca.pem");
    this.#sign("responder", "responder");
  }

  /** Issues a certificate that names these sources, and lists it as valid unless it is to stay unknown. */
  issue(name: string, sources: { ocsp?: string; crl?: string }, known = true): Certificate {
    const access = sources.ocsp ? `authorityInfoAccess = OCSP;URI:${sources.ocsp}\n` : "";
    const points = sources.crl ? `crlDistributionPoints = URI:${sources.crl}\n` : "";
    this.#write("openssl.cnf", `${CONFIG}\n[leaf]\nbasicConstraints = CA:FALSE\n${access}${points}`);
    const certificate = this.#sign(name, "leaf");
    if (known) this.#openssl("ca", "-config", "openssl.cnf", "-valid", `${name}.pem`);
    return certificate;
  }

  /** Issues a certificate for OCSP signing without ocsp-nocheck, which names this CRL. */
  issueResponder(name: string, crl: string): void {
    const purpose = "extendedKeyUsage = OCSPSigning\nkeyUsage = critical,digitalSignature";
    this.#write("openssl.cnf", `${CONFIG}\n[checked]\n${purpose}\ncrlDistributionPoints = URI:${crl}\n`);
    this.#sign(name, "checked");
    this.#openssl("ca", "-config", "openssl.cnf", "-valid", `${name}.pem`);
  }

  revoke(name: string, reason: string): void {
    this.#openssl("ca", "-config", "openssl.cnf", "-revoke", `${name}.pem`, "-crl_reason", reason);
  }

  /** DER of a CRL that lasts this long. */
  crl(days: number): Uint8Array<ArrayBuffer> {
    this.#openssl("ca", "-config", "openssl.cnf", "-gencrl", "-crldays", String(days), "-out", "crl.pem");
    this.#openssl("crl", "-in", "crl.pem", "-outform", "DER", "-out", "crl.der");
    return Uint8Array.from(readFileSync(join(this.#directory, "crl.der")));
  }

  /** Starts `openssl ocsp` on a free port and returns its URL. `by`: the authority itself ("ca"), a responder of it, or another authority. */
  async startResponder(by: string | OpensslAuthority): Promise<string> {
    const signer = by instanceof OpensslAuthority ? join(by.#directory, "ca") : by;
    const child = spawn(
      this.#path,
      ["ocsp", "-port", "0", "-index", "index.txt", "-CA", "ca.pem", "-ndays", "1"].concat([
        "-rsigner",
        `${signer}.pem`,
        "-rkey",
        `${signer}.key`,
      ]),
      { cwd: this.#directory, stdio: ["ignore", "pipe", "ignore"] },
    );
    this.#responders.push(child);
    for await (const line of createInterface({ input: child.stdout })) {
      const port = /ACCEPT \S*:(\d+)/.exec(line)?.[1];
      if (port) return `http://127.0.0.1:${port}/`;
    }
    throw new Error("openssl ocsp did not start");
  }

  /** Ends the responders and removes the directory. */
  close(): void {
    for (const child of this.#responders) child.kill();
    rmSync(this.#directory, { recursive: true });
  }

  #sign(name: string, extensions: string): Certificate {
    const serial = `0x${(this.#serial++).toString(16)}`;
    this.#openssl(
      "req",
      ...NEW_KEY,
      "-new",
      "-subj",
      `/CN=${name}`,
      "-keyout",
      `${name}.key`,
      "-out",
      `${name}.csr`,
      "-config",
      "openssl.cnf",
    );
    this.#openssl(
      "x509",
      "-req",
      "-in",
      `${name}.csr`,
      "-CA",
      "ca.pem",
      "-CAkey",
      "ca.key",
      "-set_serial",
      serial,
      "-days",
      "365",
      "-extfile",
      "openssl.cnf",
      "-extensions",
      extensions,
      "-out",
      `${name}.pem`,
    );
    return this.#read(`${name}.pem`);
  }

  #openssl(...args: string[]): void {
    execFileSync(this.#path, args, { cwd: this.#directory, stdio: ["ignore", "pipe", "pipe"] });
  }

  #write(file: string, text: string): void {
    writeFileSync(join(this.#directory, file), text);
  }

  #read(file: string): Certificate {
    const pem = readFileSync(join(this.#directory, file), "utf8");
    return parseCertificate(Uint8Array.from(Buffer.from(pem.replace(/-----[^-]+-----/g, ""), "base64")));
  }
}

const NEW_KEY = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-noenc"];
