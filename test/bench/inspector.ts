/** A session with workerd's inspector (Chrome DevTools Protocol). One that stays open gets every line of the log. */
const TIMEOUT_MS = 60_000;

export class Inspector {
  readonly #socket: WebSocket;
  #calls = 0;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
  }

  static async connect(debuggerUrl: string): Promise<Inspector> {
    const socket = new WebSocket(debuggerUrl);
    await new Promise((resolve, reject) => {
      socket.addEventListener("open", resolve);
      socket.addEventListener("error", () => reject(new Error(`${debuggerUrl} refuses the connection`)));
    });
    return new Inspector(socket);
  }

  ask<Result>(method: string, params: object = {}): Promise<Result> {
    const id = ++this.#calls;
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    const late = setTimeout(() => reject(new Error(`${method}: the inspector does not answer`)), TIMEOUT_MS);
    const hear = ({ data }: MessageEvent) => {
      const answer = JSON.parse(String(data)) as { id?: number; result: Result; error?: { message: string } };
      if (answer.id !== id) return;
      clearTimeout(late);
      this.#socket.removeEventListener("message", hear);
      if (answer.error) reject(new Error(`${method}: ${answer.error.message}`));
      else resolve(answer.result);
    };
    this.#socket.addEventListener("message", hear);
    this.#socket.send(JSON.stringify({ id, method, params }));
    return promise;
  }

  close(): void {
    this.#socket.close();
  }
}

/** `port`: of the inspector; `worker`: its name in workerd. */
export const debuggerOf = (port: number, worker: string): string => `ws://127.0.0.1:${port}/core:user:${worker}`;
