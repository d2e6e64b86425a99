/** Workers over HTTP: developers.cloudflare.com/api/resources/workers/subresources/scripts/ */
import { randomUUID } from "node:crypto";
import { ApiFault, type ApiRequest, type Route } from "./api.ts";

type Binding = Readonly<Record<string, unknown>> & { readonly type: string; readonly name: string };

interface DeployedVersion {
  readonly version_id: string;
  readonly percentage: number;
}

export interface HeldScript {
  readonly versions: {
    readonly id: string;
    readonly bindings: readonly Binding[];
    readonly modules: readonly string[];
  }[];
  /** The newest first. What is uploaded alone is in none. */
  readonly deployments: { readonly id: string; readonly versions: readonly DeployedVersion[] }[];
  readonly secrets: Map<string, string>;
  crons: readonly unknown[];
  /** Of its own, by name. */
  domains: readonly string[];
  /** Whether workers.dev leads to it. */
  isPublic: boolean;
}

export function scriptRoutes(scripts: Map<string, HeldScript>): readonly Route[] {
  const find = (name: string | undefined): HeldScript => {
    const found = scripts.get(name ?? "");
    if (!found) throw new ApiFault(404, 10_007, "This Worker does not exist on your account.");
    return found;
  };
  const newest = (script: HeldScript) => {
    const version = script.versions.at(-1);
    if (!version) throw new ApiFault(404, 10_007, "This Worker does not exist on your account.");
    return version;
  };
  const bindingsOf = (script: HeldScript): Binding[] => [
    ...(script.versions.at(-1)?.bindings ?? []),
    ...[...script.secrets.keys()].map((name) => ({ type: "secret_text", name })),
  ];
  const upload = async ({ parts: [name = ""], body, headers }: ApiRequest) => {
    const form = await new Response(new Uint8Array(body), {
      headers: { "Content-Type": headers["content-type"] ?? "" },
    }).formData();
    const metadata = JSON.parse(await new Blob([form.get("metadata") ?? ""]).text());
    const script: HeldScript = scripts.get(name) ?? {
      ...{ versions: [], deployments: [], secrets: new Map(), crons: [], domains: [], isPublic: false },
    };
    scripts.set(name, script);
    const before = bindingsOf(script);
    const sent = metadata.bindings as Binding[];
    // secrets that are not sent stay: wrangler always sends keep_bindings
    for (const { type, name: secret, text } of sent)
      if (type === "secret_text") script.secrets.set(secret, String(text));
    const bindings = sent
      .filter(({ type }) => type !== "secret_text")
      .map((binding) =>
        binding.type === "inherit" ? (before.find((each) => each.name === binding.name) ?? binding) : binding,
      );
    const modules = [...form.keys()].filter((key) => key !== "metadata");
    const version = { id: randomUUID(), bindings, modules };
    script.versions.push(version);
    return {
      ...{
        id: name,
        tag: name,
        etag: version.id,
        deployment_id: version.id,
        startup_time_ms: 10,
        entry_point: modules[0],
      },
      ...{ metadata: {}, resources: { script: {}, bindings } },
    };
  };
  return [
    [
      "GET /workers/services/*",
      ({ parts: [name] }) => {
        newest(find(name));
        return {
          result: { default_environment: { environment: "production", script: { last_deployed_from: "wrangler" } } },
        };
      },
    ],
    ["GET /workers/scripts", () => ({ result: [...scripts.keys()].map((id) => ({ id })) })],
    [
      "PUT /workers/scripts/*",
      async (request) => {
        const result = await upload(request);
        const versions = [{ version_id: result.deployment_id, percentage: 100 }];
        find(result.id).deployments.unshift({ id: randomUUID(), versions });
        return { result };
      },
    ],
    [
      "POST /workers/scripts/*/versions",
      async (request) => {
        const { deployment_id: id, ...rest } = await upload(request);
        return { result: { ...rest, id, number: 1, metadata: { has_preview: false } } };
      },
    ],
    [
      "GET /workers/scripts/*/versions/*",
      ({ parts: [name, id] }) => {
        const script = find(name);
        const version = script.versions.find((each) => each.id === id) ?? newest(script);
        return {
          result: {
            ...describeVersion(version.id),
            resources: { script: {}, script_runtime: {}, bindings: bindingsOf(script) },
          },
        };
      },
    ],
    [
      "GET /workers/scripts/*/deployments",
      ({ parts: [name] }) => {
        const { deployments } = find(name);
        if (deployments.length === 0) throw new ApiFault(404, 10_007, "This Worker does not exist on your account.");
        const about = { source: "wrangler", strategy: "percentage", author_email: "operator@bank.example" };
        const created_on = "2026-11-23T00:00:00Z";
        return { result: { deployments: deployments.map((each) => ({ ...about, ...each, created_on })) } };
      },
    ],
    // developers.cloudflare.com/workers/configuration/versions-and-deployments/gradual-deployments/
    [
      "POST /workers/scripts/*/deployments",
      ({ parts: [name], body }) => {
        const script = find(name);
        const { versions } = JSON.parse(body.toString()) as { versions: DeployedVersion[] };
        const known = versions.every(({ version_id: id }) => script.versions.some((each) => each.id === id));
        if (!known || versions.reduce((sum, { percentage }) => sum + percentage, 0) !== 100)
          throw new ApiFault(400, 10_021, "The versions are not known, or their percentages are not 100 together");
        const deployment = { id: randomUUID(), versions };
        script.deployments.unshift(deployment);
        return { result: deployment };
      },
    ],
    [
      "GET /workers/scripts/*/versions",
      ({ parts: [name] }) => ({
        result: {
          items: find(name)
            .versions.map(({ id }) => describeVersion(id))
            .toReversed(),
        },
      }),
    ],
    [
      "GET /workers/scripts/*/settings",
      ({ parts: [name] }) => ({ result: { bindings: bindingsOf(find(name)), tags: [], usage_model: "standard" } }),
    ],
    ["PATCH /workers/scripts/*/settings", ({ parts: [name] }) => ({ result: { bindings: bindingsOf(find(name)) } })],
    ["PATCH /workers/scripts/*/script-settings", () => ({ result: {} })],
    [
      "GET /workers/scripts/*/secrets",
      ({ parts: [name] }) => ({
        result: [...find(name).secrets.keys()].map((each) => ({ name: each, type: "secret_text" })),
      }),
    ],
    [
      "PUT /workers/scripts/*/secrets",
      ({ parts: [script = ""], body }) => {
        const { name, text } = JSON.parse(body.toString());
        find(script).secrets.set(name, text);
        return { result: { name, type: "secret_text" } };
      },
    ],
    [
      "PATCH /workers/scripts/*/secrets-bulk",
      ({ parts: [name], body }) => {
        const { secrets } = JSON.parse(body.toString()) as { secrets: Record<string, { text: string } | null> };
        const held = find(name).secrets;
        for (const [key, secret] of Object.entries(secrets))
          if (secret) held.set(key, secret.text);
          else held.delete(key);
        return { result: [...held.keys()].map((each) => ({ name: each, type: "secret_text" })) };
      },
    ],
    [
      "DELETE /workers/scripts/*/secrets/*",
      ({ parts: [script, name = ""] }) => {
        if (!find(script).secrets.delete(name)) throw new ApiFault(404, 10_056, "Secret not found.");
        return { result: null };
      },
    ],
    ["GET /workers/subdomain", () => ({ result: { subdomain: "a-bank" } })],
    ["GET /workers/scripts/*/subdomain", ({ parts: [name] }) => ({ result: describeAddress(find(name)) })],
    [
      "POST /workers/scripts/*/subdomain",
      ({ parts: [name], body }) => {
        const script = find(name);
        script.isPublic = JSON.parse(body.toString()).enabled;
        return { result: describeAddress(script) };
      },
    ],
    [
      "PUT /workers/scripts/*/schedules",
      ({ parts: [name], body }) => {
        const script = find(name);
        script.crons = JSON.parse(body.toString());
        return { result: { schedules: script.crons } };
      },
    ],
    ["GET /workers/scripts/*/schedules", ({ parts: [name] }) => ({ result: { schedules: find(name).crons } })],
    ["POST /workers/scripts/*/assets-upload-session", () => ({ result: { jwt: "a-token", buckets: [] } })],
    // the newer form of the same: /api/resources/workers/subresources/beta/subresources/workers/
    [
      "GET /workers/workers/*",
      ({ parts: [name = ""] }) => ({
        result: { id: name, name, subdomain: describeAddress(find(name)), references: {} },
      }),
    ],
    ["GET /workers/domains", () => ({ result: [] })],
    // developers.cloudflare.com/workers/configuration/routing/custom-domains/
    [
      "POST /workers/scripts/*/domains/changeset",
      ({ body }) => {
        const added = (JSON.parse(body.toString()) as { hostname: string }[]).map((one, i) => ({ id: `${i}`, ...one }));
        return { result: { added, removed: [], updated: [], conflicting: [] } };
      },
    ],
    [
      "PUT /workers/scripts/*/domains/records",
      ({ parts: [name], body }) => {
        const { origins } = JSON.parse(body.toString()) as { origins: { hostname: string }[] };
        find(name).domains = origins.map(({ hostname }) => hostname);
        return { result: null };
      },
    ],
  ];
}

const describeVersion = (id: string) => ({
  ...{ id, number: 1, annotations: {} },
  metadata: { created_on: "2026-11-23T00:00:00Z", author_email: "operator@bank.example", source: "wrangler" },
});

const describeAddress = ({ isPublic }: HeldScript) => ({ enabled: isPublic, previews_enabled: false });
