/** What an operator does about the outcome of `webhook test`: what is wrong, where, what was expected. Pure. */

interface Tested {
  readonly id: string;
  readonly url: string;
  /** As events/deliveries.ts describes it; null: there was no attempt. */
  readonly outcome: string | null;
}

const ofCertificate = (url: string): string => {
  const { host, hostname, port } = new URL(url);
  return `TLS with ${host} failed: its certificate has to be of a public CA, of this name and of now, and sent with its intermediates; \`openssl s_client -connect ${hostname}:${port || 443} -servername ${hostname}\` shows what it sends`;
};
const newAddress = ({ id }: Tested) => `add the right address with webhook add, then webhook remove ${id}`;

/** The first that fits. */
const ADVICE: readonly (readonly [RegExp, (tested: Tested) => string])[] = [
  [
    /HTML page/,
    ({ url }) =>
      `${url} answers with a web page, as a login or a maintenance page does: expected is 2xx of the receiver itself, so ask the bank whether it got this event, and have this path exempted from logins`,
  ],
  [
    /status 3\d\d/,
    (tested) =>
      `${tested.url} redirects, and no redirect is followed, since nobody has looked where it leads: ${newAddress(tested)}`,
  ],
  [
    /status 40[13]/,
    ({ id, url }) =>
      `${url} refuses: a delivery has its signature and no other credential, so a gateway has to let POST through to it; if the receiver itself refuses, its secret is another one (webhook rotate --webhook ${id} makes a new one) or its clock is minutes off`,
  ],
  [
    /status 40[45]/,
    (tested) => `no receiver takes POST at ${tested.url}: ask the bank for the path, and ${newAddress(tested)}`,
  ],
  [
    /status 410/,
    ({ url }) => `${url} wants no more events, which has ended its webhook: if it shall have them again, webhook add`,
  ],
  [/status 52[56]|TLS failed/, ({ url }) => ofCertificate(url)],
  [
    /status 52[1-4]|could not be reached/,
    ({ url }) =>
      `nothing answers at ${new URL(url).host}: expected is a server that the public internet reaches; look at its firewall, its port and its name in DNS`,
  ],
  [
    /status [1345]/,
    ({ url }) =>
      `${url} refuses, where 2xx was expected: the receiver's own log says why; the delivery is repeated for three days`,
  ],
  [
    /in time/,
    ({ url }) =>
      `${url} took more than ten seconds: the receiver has to answer with 2xx first, and handle the event afterwards`,
  ],
  [
    /its address/,
    (tested) =>
      `nothing was sent to ${tested.url}: expected is https and a host with addresses on the public internet alone; correct its DNS, or ${newAddress(tested)}`,
  ],
  [
    /signed for/,
    ({ id }) =>
      `the secret of ${id} is lost with the token key that sealed it: webhook rotate --webhook ${id} --now makes another one for its receiver`,
  ],
];

/** One sentence; null: the receiver has it. */
export function adviceFor(tested: Tested): string | null {
  const { outcome } = tested;
  if (outcome === null)
    return "no scheduled run has made the delivery: look whether runs are logged, and at `status`, then test again";
  return ADVICE.find(([wrong]) => wrong.test(outcome))?.[1](tested) ?? null;
}
