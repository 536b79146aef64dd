// What every use of the browser's GPU needs: the adapter, a device, and the reason why there is none.

/** Why there is no result. Each use adds its own reasons. */
export type NoGpu = 'absent' | 'no-adapter' | 'lost' | 'failed';

export class GpuRefused<Why extends string = NoGpu> extends Error {
  constructor(
    readonly why: Why | NoGpu,
    detail = '',
  ) {
    super(detail || why);
    this.name = 'GpuRefused';
  }
}

/** The fastest adapter that the browser offers. */
export async function findAdapter(): Promise<GPUAdapter> {
  const gpu = (navigator as Navigator & { gpu?: GPU }).gpu;
  if (!gpu) throw new GpuRefused('absent');
  const adapter = await gpu.requestAdapter({ powerPreference: 'high-performance' });
  if (!adapter) throw new GpuRefused('no-adapter');
  return adapter;
}

/** Works on a device of the adapter and destroys the device, also when it is lost under the work. */
export async function withDevice<T>(
  adapter: GPUAdapter,
  asked: GPUDeviceDescriptor,
  work: (device: GPUDevice) => Promise<T>,
): Promise<T> {
  const device = await adapter.requestDevice(asked).catch((error: unknown): never => {
    throw new GpuRefused('failed', String(error));
  });
  const lost = device.lost.then((info): never => {
    throw new GpuRefused('lost', info.message);
  });
  lost.catch(() => {}); // the end of the work destroys the device too
  try {
    return await Promise.race([work(device), lost]);
  } finally {
    device.destroy();
  }
}
