/** The certificates of the sandbox in examples: `{{scenario-1}}` is fixtures/certificates/scenario-1.pem, base64 of its DER. */
const NAME = /^\{\{([\w-]+)\}\}$/;

/** Replaces the names anywhere in a value. `certificates`: PEM by name. */
export function fillCertificates(value: unknown, certificates: Readonly<Record<string, string>>): unknown {
  if (Array.isArray(value)) return value.map((element) => fillCertificates(element, certificates));
  if (typeof value === "object" && value !== null)
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [key, fillCertificates(inner, certificates)]),
    );
  const name = typeof value === "string" ? NAME.exec(value)?.[1] : undefined;
  if (name === undefined) return value;
  const pem = certificates[name];
  if (pem === undefined) throw new Error(`there is no certificate ${name} in fixtures/certificates`);
  return pem.replaceAll(/-----[^-]+-----|\s/g, "");
}
