/** The size of an isolate's heap after a full collection, and of all heaps, by the inspector (Chrome DevTools Protocol). */

const TIMEOUT_MILLISECONDS = 60_000;
const WAKE_AGAIN_MILLISECONDS = 50;
const MEGABYTE = 2 ** 20;
const [ENABLE, COLLECT, SIZE] = [1, 2, 3];

/**
 * Megabytes. A collection that the inspector asks for is made when the isolate next has something to do, so `wake` sends
 * it a request until then. The session lasts as long as the measurement: one that stays open gets every line of the
 * log.
 */
export async function measureHeap(debuggerUrl: string, wake: () => Promise<unknown>): Promise<number> {
  const socket = new WebSocket(debuggerUrl);
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const send = (id: number, method: string) => socket.send(JSON.stringify({ id, method }));
  socket.addEventListener("open", () => {
    // without the first, workerd leaves the second unanswered
    send(ENABLE, "HeapProfiler.enable");
    send(COLLECT, "HeapProfiler.collectGarbage");
  });
  socket.addEventListener("error", () => reject(new Error(`${debuggerUrl} refuses the connection`)));
  socket.addEventListener("message", ({ data }) => {
    const { id, result, error } = JSON.parse(String(data));
    if (error) reject(new Error(`${debuggerUrl}: ${error.message}`));
    else if (id === COLLECT) send(SIZE, "Runtime.getHeapUsage");
    else if (id === SIZE) resolve(result.usedSize / MEGABYTE);
  });
  const late = setTimeout(() => reject(new Error(`${debuggerUrl} does not answer`)), TIMEOUT_MILLISECONDS);
  const waking = setInterval(() => void wake().catch(reject), WAKE_AGAIN_MILLISECONDS);
  try {
    return await promise;
  } finally {
    clearTimeout(late);
    clearInterval(waking);
    socket.close();
  }
}

/** Megabytes that the heaps of all isolates of the process take, and their buffers: of the service and of each local store. */
export async function measureAllHeaps(debuggerUrl: string): Promise<number> {
  const targets = (await (await fetch(`http://${new URL(debuggerUrl).host}/json`)).json()) as Target[];
  const sizes = await Promise.all(targets.map(({ webSocketDebuggerUrl }) => measureNow(webSocketDebuggerUrl)));
  return sizes.reduce((sum, size) => sum + size, 0);
}

interface Target {
  readonly webSocketDebuggerUrl: string;
}

async function measureNow(debuggerUrl: string): Promise<number> {
  const socket = new WebSocket(debuggerUrl);
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  socket.addEventListener("open", () => socket.send(JSON.stringify({ id: SIZE, method: "Runtime.getHeapUsage" })));
  socket.addEventListener("error", () => reject(new Error(`${debuggerUrl} refuses the connection`)));
  socket.addEventListener("message", ({ data }) => {
    const { id, result } = JSON.parse(String(data));
    if (id === SIZE) resolve((result.totalSize + (result.backingStorageSize ?? 0)) / MEGABYTE);
  });
  try {
    return await promise;
  } finally {
    socket.close();
  }
}
