/** One `npm start` for all files of the project `spec`. When they are done, what it wrote is looked through. */
import type { TestProject } from "vitest/node";
import { findLeaks } from "./leaks.ts";
import { seed } from "./seeds.ts";
import { endService, startService } from "./service.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Of the running service, without a slash at the end. */
    serviceUrl: string;
    /** Its state directory: see `readOutput`. */
    serviceState: string;
  }
}

export default async function serve(project: TestProject): Promise<() => Promise<void>> {
  const service = await startService();
  seed(service.state);
  project.provide("serviceUrl", service.url);
  project.provide("serviceState", service.state);
  return async () => {
    const leaks = findLeaks(service.output());
    await endService(service);
    if (leaks.length > 0) throw new Error(`the service's output holds what it must not:\n${leaks.join("\n")}`);
  };
}
