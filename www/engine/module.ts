// The engine's one WebAssembly module, compiled once for all workers.

let compiled: Promise<WebAssembly.Module> | null = null;

/** The compiled module; the first call fetches it. A failed attempt is not kept. */
export function engineModule(): Promise<WebAssembly.Module> {
  compiled ??= load();
  compiled.catch(() => (compiled = null));
  return compiled;
}

async function load(): Promise<WebAssembly.Module> {
  const address = new URL('../../pkg/engine/warpscope_bg.wasm', import.meta.url);
  const answer = await fetch(address, { priority: 'low' });
  if (!answer.ok) throw new Error(`the engine could not be loaded: ${answer.status}`);
  // Some static hosts serve wasm as another type, which the streaming compiler refuses.
  const streamed = answer.headers.get('content-type')?.startsWith('application/wasm') ?? false;
  return streamed ? WebAssembly.compileStreaming(answer) : WebAssembly.compile(await answer.arrayBuffer());
}
