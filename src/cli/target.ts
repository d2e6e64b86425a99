/** Which stores a command works on: the local ones, or those of a deployment. */

import { type Command, Option } from "commander";
import { EXIT, fail } from "./fail.ts";
import { addOutputOptions, type OutputOptions } from "./output.ts";

/** Deployments beside production: the tables `[env.<name>]` of wrangler.toml. */
const ENVIRONMENTS = ["staging"] as const;
const PRODUCTION = "production";
export type Environment = (typeof ENVIRONMENTS)[number];

/** Of D1, R2 and Durable Objects alike: developers.cloudflare.com/d1/configuration/data-location/ */
export const JURISDICTIONS = ["eu", "fedramp", "us"] as const;

export interface Target {
  readonly remote: boolean;
  /** Null: production, or the local stores. */
  readonly environment: Environment | null;
}

export const LOCAL: Target = { remote: false, environment: null };

/** As commander gives them. */
export interface TargetOptions {
  readonly remote?: boolean;
  readonly env?: string;
}

export const addTargetOptions = (command: Command): Command =>
  command
    .option("--remote", "on the deployed service")
    .addOption(
      new Option("--env <name>", "on the deployed service of this name").choices([PRODUCTION, ...ENVIRONMENTS]),
    );

export const targetOf = ({ remote = false, env }: TargetOptions): Target => ({
  remote: remote || env !== undefined,
  environment: env === undefined || env === PRODUCTION ? null : readEnvironment(env),
});

export const readEnvironment = (name: string): Environment =>
  ENVIRONMENTS.find((known) => known === name) ??
  fail(`--env: ${name} is none of ${ENVIRONMENTS.join(", ")}`, EXIT.usage);

/** wrangler's option. It is always given, also for production: wrangler warns where it is left out. */
export const environmentOption = (environment: Environment | null): string[] => ["--env", environment ?? ""];

export type Common = TargetOptions & OutputOptions;

/** Makes a command of a noun, with the options that all have. */
export type MakeCommand = (name: string, description: string) => Command;

export const commandsOf =
  (noun: Command): MakeCommand =>
  (name, description) =>
    addOutputOptions(addTargetOptions(noun.command(name).description(description)));
