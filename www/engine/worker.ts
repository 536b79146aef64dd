// Stub of the worker.
import { expose } from 'comlink';
import init, * as engine from '../../pkg/warpscope';

const api = {
  async version(): Promise<string> {
    await init();
    return engine.version();
  },
};

export type Engine = typeof api;
expose(api);
