/** Requests, refusals and times of each endpoint. */
import { LATENCY_BOUNDS_MS } from "../../evidence/ledger/traffic.ts";
import { count, type Summary } from "./summary.ts";

/** The bucket's upper bound. */
const time = (ms: number): string =>
  Number.isFinite(ms) ? `≤ ${count(ms)} ms` : `> ${count(LATENCY_BOUNDS_MS.at(-1) ?? 0)} ms`;

export function EndpointsCard({ summary: { endpoints } }: { summary: Summary }) {
  return (
    <section class="card">
      <h2>By endpoint</h2>
      <section class="scroll" aria-label="Endpoints, one row each" tabindex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col">Endpoint</th>
              {["Requests", "Not ok", "p50", "p95"].map((head) => (
                <th scope="col" class="number">
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {endpoints.map(({ endpoint, requests, refused, p50, p95 }) => (
              <tr>
                <th scope="row">
                  <code>{endpoint}</code>
                </th>
                <td class="number">{count(requests)}</td>
                <td class="number">{count(refused)}</td>
                <td class="number">{time(p50)}</td>
                <td class="number">{time(p95)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </section>
  );
}
