// What stands where a link needs files. Few links do, so its code comes then.

import { Lazy } from './lazy';

const load = () => import(/* webpackChunkName: 'contents' */ './wanted-files').then((module) => module.WantedFiles);

export const Wanted = () => <Lazy load={load} props={{}} />;
