// What a run leaves out or assumes, and what is wrong with a setting or a question.

export const running: Record<string, string> = {
  // Notes of the model gpu.
  'Global loads of this GPU do not use the L1, so their sectors have no class of miss.':
    '这个 GPU 的全局加载不使用 L1，因此其扇区没有未命中的类别。',
  'The trace of kernel {} does not fit in memory. It ran block by block, and the mix of instructions is that of the blocks so far.':
    '核函数 {} 的轨迹放不进内存。它逐块运行，指令的组成是到目前为止各线程块的。',
  '{} of {} cores are simulated, with their share of the blocks, L2 slices and DRAM channels. The totals are scaled to all blocks; the rows are those of the sample. L2 hits and DRAM counts differ where cores share data.':
    '模拟了 {2} 个核心中的 {1} 个，以及相应份额的线程块、L2 分片和 DRAM 通道。总数按全部线程块放大；各行是样本的。核心之间共享数据时，L2 命中和 DRAM 计数会有差异。',
  '{#} registers per thread, estimated. They are a limit of the resident blocks.':
    '每个线程估计用 {1} 个寄存器。它们限制驻留的线程块。',
  'Kernel {#}: {#} registers per thread, estimated. They are a limit of the resident blocks.':
    '核函数 {1}：每个线程估计用 {2} 个寄存器。它们限制驻留的线程块。',
  '{#} of {#} kernels ran; the rest is left out.': '运行了 {2} 个核函数中的 {1} 个，其余未运行。',
  'The {} has sets of {} ways; those of the model have {}.': '{} 的组有 {} 路，模型的组有 {} 路。',
  'Instruction fetch, address translation and row buffers of DRAM are not modelled.':
    '没有建模：取指、地址翻译和 DRAM 的行缓冲。',
  "{} runs wavefronts of {} lanes; the trace's warps of 32 are used as they are.":
    '{} 以 {} 个线程为一组运行；轨迹中 32 个线程的线程束按原样使用。',
  'The topology has no constant caches: a constant is there at once.': '拓扑没有常量缓存：常量立即可得。',
  'Texture loads use the L1.': '纹理加载使用 L1。',
  'An atomic waits for its old value, also where the program does not use it.':
    '原子操作等待其旧值，即使程序不使用它。',
  'The trace does not say how many registers a thread has; they do not limit the resident blocks.':
    '轨迹没有说明每线程的寄存器数；它们不限制驻留的线程块。',
  'Which loads are issued together is assumed: up to 8, at most 24 instructions apart.':
    '哪些加载一起发射是假定的：最多 8 个，相隔最多 24 条指令。',

  // Notes of the models of one L1.
  "The miss latency ({} ticks) and its spread ({}) are assumed: those of the program of the model's authors, for Fermi.":
    '未命中延迟（{} 个节拍）及其散布（{}）是假定的：取自模型作者的程序，适用于 Fermi。',
  'The set index of this GPU is assumed.': '这个 GPU 的组索引是假定的。',
  'The caches keep their lines from one kernel to the next, and a line that an earlier kernel used is no compulsory miss; most GPUs empty their L1 at every launch.':
    '缓存在核函数之间保留缓存行，先前核函数用过的缓存行不算强制性未命中；大多数 GPU 在每次启动时清空 L1。',
  "The authors' program has no warm caches: every kernel starts with empty ones.":
    '作者的程序没有热缓存：每个核函数从空缓存开始。',
  "The authors' program models one core and counts a reuse distance equal to the number of ways as a hit. Its classes are not known per array or instruction: there, infinite distances stand under compulsory and all other misses under capacity.":
    '作者的程序对一个核心建模，并把等于路数的重用距离算作命中。它的类别不按数组或指令给出：在那里，无穷距离列入强制性，其他未命中列入容量。',
  'This GPU has several L1 caches per core; one of them is modelled, serving all warps.':
    '这个 GPU 每核心有几个 L1 缓存；只对其中一个建模，服务所有线程束。',
  'This GPU fetches sectors of a line; a miss here brings in the whole line.':
    '这个 GPU 取缓存行的扇区；这里一次未命中带入整个缓存行。',
  'Not modelled: the L2 and DRAM behind the L1, sectors, barriers, the time of other instructions, and replacement other than LRU.':
    '没有建模：L1 之后的 L2 和 DRAM、扇区、栅障、其他指令的时间，以及 LRU 以外的替换策略。',
  'Atomics run at the L2 and are left out.': '原子操作在 L2 执行，未计入。',
  'Stores pass by the L1 here; only loads are counted.': '这里存储绕过 L1；只统计加载。',
  'Some loads ask to be cached at the L2 only (.CG or .STRONG); they are modelled like the others.':
    '有些加载要求只在 L2 缓存（.CG 或 .STRONG）；它们与其他加载同样建模。',
  'Barriers and the time of instructions that access no memory are not modelled.':
    '没有建模：栅障，以及不访存指令的时间。',
  "The parameter {} has no effect: the authors' program does not have it.": '参数 {} 不起作用：作者的程序没有它。',
  "The topology's set index was measured with {} sets. How it would be with {} sets is assumed.":
    '拓扑的组索引是在 {} 组时测得的。{} 组时如何是假定的。',

  // Notes beside a profile.
  'docs/accuracy.md says how far the model is off on known kernels.': 'docs/accuracy.md 说明模型在已知核函数上的误差。',
  '{} measures from the state `{}`, and the model ran from `{}`.': '{} 从状态 `{}` 开始测量，而模型从 `{}` 开始运行。',
  'The profile is of the GPU {}, and the model ran {}.': '性能剖析来自 GPU {}，而模型运行的是 {}。',
  'Kernels of the report that are not in the profile: {}.': '报告中有 {} 个核函数不在性能剖析中。',
  'Of these, kernels that the profile has with another grid or block: {}.': '其中 {} 个在，但网格或线程块不同。',
  'Launches that were measured with another grid or block: {}.': '有 {} 次启动是以不同的网格或线程块测得的。',
  'Launches of the profile that are not in the report: {}.': '性能剖析中有 {} 次启动不在报告中。',
  'Launches of the profile that failed or were not measured to the end: {}.': '性能剖析中有 {} 次启动失败或没有测完。',
  "nvprof's values are averages over all launches of a kernel.": 'nvprof 的值是一个核函数全部启动的平均。',
  'Values of metrics that the model does not have: {}.': '其他指标的 {} 个值在模型中没有对应。',
  'Nsight Compute holds the clock at its base, so compare cycles rather than times.':
    'Nsight Compute 把时钟固定在基频，因此应比较周期而不是时间。',
  'KTT copies written arrays again before each pass of the counters and leaves the others on the GPU. The state `replay` is nearest to that.':
    'KTT 在每遍计数之前重新拷贝被写的数组，其余留在 GPU 上。状态 `replay` 与此最接近。',
  'The events of Fermi count hits per line of 128 bytes, and the model per sector of 32 bytes.':
    'Fermi 的事件按 128 字节的缓存行统计命中，模型按 32 字节的扇区统计。',
  'Instructions of CUDA text are estimated from a table of costs. Thread instructions count 32 for each.':
    'CUDA 源码的指令按成本表估计。线程指令每条计 32。',
  "The hardware's L2 reads count instruction fetches too, which matters above about 48 KB of code.":
    '硬件的 L2 读取还包括取指，代码超过约 48 KB 时有影响。',
  'The model writes a dirty sector to DRAM when it leaves the L2. Hardware writes more of them, often twice as many.':
    '模型在脏扇区离开 L2 时把它写到 DRAM。硬件写得更多，常为两倍。',

  // Notes of the Placement tab.
  'kernel {} of {}, the one with most accesses': '{2} 个核函数中的第 {1} 个，访问最多的一个',
  'assumed for this GPU: {}': '对这个 GPU 假定：{}',
  'arrays were guessed from gaps between addresses; name them to be sure': '数组是从地址的间隔推测的；请命名以确保正确',
  'the trace holds {} of {} blocks; counts are scaled': '轨迹有 {2} 个线程块中的 {1} 个；计数按比例放大',
  'the most promising placements run on the whole GPU, each as the text rewritten for it':
    '最有希望的放置在整个 GPU 上运行，各用为其改写的源码',
  'the most promising placements run on the whole GPU, as a trace with the arrays moved; this is weaker than a rewritten text, because a trace does not show what a compiler would do with the moved arrays':
    '最有希望的放置在整个 GPU 上运行，用移动了数组的轨迹；这不如改写的源码可靠，因为轨迹看不出编译器会如何处理移动后的数组',
  '{} of {} cores run there': '其中运行 {2} 个核心中的 {1} 个',
  'the first {} of {} blocks run there': '其中运行 {2} 个线程块中的前 {1} 个',
  'service times and row and column bits of main memory are those that Huang & Li measured on this GPU; which of the bits are the column and which bank a name has are assumed':
    '主存的服务时间和行、列位是 Huang 与 Li 在这个 GPU 上测得的；其中哪些位是列、名称对应哪个存储体是假定',
  "nobody measured this GPU's row latencies and address bits as the paper did, so they are those that our own model assumes":
    '没有人像论文那样测过这个 GPU 的行延迟和地址位，因此用我们自己模型的假定值',
  "overlap: the sample's ratio holds for every placement; equation 11 is not trained":
    '重叠：样本的比值用于每种放置；方程 11 没有训练',
  'overlap: that of Sim et al., with which the paper compares': '重叠：Sim 等人的，论文与之比较',
  'overlap: equation 11 with {}': '重叠：方程 11，用 {}',
  "overlap: the sample's ratio and the difference by equation 11 with {}":
    '重叠：样本的比值，加方程 11 给出的差，用 {}',
  "equations 16 and 17 are lost in our copy of the paper and have the form of Sim et al. (PPoPP'12, from memory); barriers cost nothing, because Γ is not known for this GPU":
    '方程 16 和 17 在我们手头的论文中缺失，用 Sim 等人（PPoPP’12，凭记忆）的形式；栅障不计时间，因为这个 GPU 的 Γ 未知',
  "equations 16 and 17 are lost in our copy of the paper and have the form of Sim et al. (PPoPP'12, from memory), with Γ = {}":
    '方程 16 和 17 在我们手头的论文中缺失，用 Sim 等人（PPoPP’12，凭记忆）的形式，Γ = {}',
  'no counter of issued instructions was given, so the sample has no replays by causes (6) to (10)':
    '没有给出发射指令的计数器，因此样本没有原因（6）至（10）的重放',
  'sample: {} µs by the model of the whole GPU; nothing was measured': '样本：整个 GPU 的模型给出 {} µs；没有实测',
  'sample: {} µs, as measured by you': '样本：{} µs，由你测得',
  "{} of the sample's {} banks get more than they can serve, where equation 9 has no value; the number of outstanding requests bounds their wait (assumed)":
    '样本的 {2} 个存储体中有 {1} 个收到的请求多于其能服务的，此时方程 9 没有值；未完成请求的数目限制其等待（假定）',
  'by equation 2 the sample computes for {} cycles, which is longer than it takes, so its overlap is {} % of Tmem and a longer Tmem makes a placement faster; do not trust this ranking':
    '按方程 2，样本计算 {} 个周期，比它的用时还长，因此其重叠是 Tmem 的 {} %，Tmem 越长放置反而越快；请不要相信这个排名',

  // Settings.
  'change the value': '请修改该值',
  'use one of {}': '请使用其中之一：{}',
  'choose one of {}': '请选择其中之一：{}',
  'choose one of the list': '请从列表中选择',
  'change it': '请修改',
  'choose another one': '请另选一个',
  'choose it in the table': '请在表中选择',
  'ask again': '请再问一次',
  'a known parameter': '已知的参数',
  'a parameter of the model gpu': '模型 gpu 的参数',
  'a parameter of the model {}': '模型 {} 的参数',
  'a whole number from {} to {}': '{} 至 {} 的整数',
  'a whole number of at least 1, or `unlimited`': '不小于 1 的整数，或 `unlimited`',
  'a number from 0 to {}': '0 至 {} 的数',
  'a number above 0, up to {}': '大于 0、不超过 {} 的数',
  'a number above 0': '大于 0 的数',
  '`true` or `false`': '`true` 或 `false`',
  'one of {}': '{} 之一',
  'a multiple of line_bytes × ways, with at most 16777216 lines': 'line_bytes × ways 的倍数，且最多 16777216 个缓存行',
  '{} bytes, lines of {}, {} ways': '{} 字节，缓存行 {}，{} 路',
  "at most 4294967295 for the program's generator": '作者程序的随机数发生器最多 4294967295',
  'a preset or a loaded topology': '一个预设，或一个已加载的拓扑',
  "load a topology JSON (our own or mt4g's) with the trace": '请把拓扑 JSON（我们的或 mt4g 的）与轨迹一起加载',
  'a state of the caches': '缓存的一种状态',
  'caches that the model gpu can keep warm': '模型 gpu 可以保持为热的缓存',
  'warm L1s': '热的 L1',
  'use the state `warm`, in which the L2 keeps what the kernel before left':
    '请用状态 `warm`，其中 L2 保留前一个核函数留下的内容',
  'no switch: the model {} always gives each miss a class': '没有这个开关：模型 {} 总是给每个未命中归类',
  'leave the classes out, or choose the model gpu': '请去掉类别，或选择模型 gpu',
  'the state cold: the model {} begins each kernel with empty caches': '状态 cold：模型 {} 让每个核函数从空缓存开始',
  'leave the state out, or choose the model gpu': '请去掉状态，或选择模型 gpu',
  'paper or reference': 'paper 或 reference',
  'the model paper': '模型 paper',
  'the model gpu': '模型 gpu',
  'the model {}': '模型 {}',
  'choose the model paper or gpu': '请选择模型 paper 或 gpu',
  'at most 4294967295 line requests': '最多 4294967295 个缓存行请求',
  'set thread_limit, or trace fewer blocks': '请设置 thread_limit，或跟踪更少的线程块',
  'a trace with at least one kernel': '至少有一个核函数的轨迹',
  'no file': '没有文件',
  'none in {}': '{} 中没有',
  'only address streams in {}': '{} 中只有地址流',
  "an address stream has no warps to schedule; the page's Reuse tab or `warpscope reuse` gives its distances":
    '地址流没有可调度的线程束；页面的“重用”标签页或 `warpscope reuse` 给出它的距离',
  'load an Ocelot .trc or Accel-Sim .traceg file': '请加载 Ocelot .trc 或 Accel-Sim .traceg 文件',
  'the other messages say why no launch of the CUDA text ran': '其他消息说明了 CUDA 文本为何没有任何启动运行',
  'a trace that fits in memory': '放得进内存的轨迹',
  'a launch with a larger one': '一次更大的启动',
  'choose the model `gpu`, which runs it block by block, smaller sizes or fewer blocks':
    '请选择逐块运行的模型 `gpu`，或更小的规模，或更少的线程块',
  'a kernel that the scenario runs': '场景所运行的核函数',
  'a kernel: its number up to {}, a range of numbers, its name or `all`':
    '一个核函数：不超过 {} 的编号、编号范围、名称或 `all`',
  'there are {}': '有 {}',

  // Sweeps.
  'write for example `ways=1,2,4,8`, `cache_bytes=x1/2,x1,x2`, `mshrs=factors` or `seed=1..8`':
    '例如写 `ways=1,2,4,8`、`cache_bytes=x1/2,x1,x2`、`mshrs=factors` 或 `seed=1..8`',
  'a range that ascends, of at most 4096 values': '递增的范围，最多 4096 个值',
  'at most 4096 values': '最多 4096 个值',
  'split the list into several sweeps': '请把列表分成几次扫描',
  'values that are different and not empty': '互不相同且不为空的值',
  'give each value once': '每个值只给一次',
  'at least one parameter that varies': '至少一个变化的参数',
  'each key once': '每个键只出现一次',
  'put all its values into one list': '请把它的所有值放入一个列表',
  'at most 100000 points': '最多 100000 个点',
  'give fewer values, or split the sweep': '请减少取值，或分成几次扫描',
  'choose --model paper, whose latencies are random': '请选择模型 paper，其延迟是随机的',
  'a model of one L1 for `seed`': '`seed` 需要单个 L1 的模型',
  'the model gpu, which draws nothing by chance': '模型 gpu，其中没有随机性',
  'choose --model paper, which has switches for them': '请选择模型 paper，它有这些开关',
  'a model of one L1 for `without`': '`without` 需要单个 L1 的模型',
  'write for example `seed=1..8`': '例如写 `seed=1..8`',
  'seeds that are whole numbers': '整数种子',
  'give its values as a list': '请以列表给出它的值',
  'a number to multiply': '可以相乘的数',

  // Steps through a run.
  'choose another kernel, or fewer blocks: a trace that does not fit in memory cannot be stepped through':
    '请选择另一个核函数，或更少的线程块：放不进内存的轨迹无法逐步查看',
  'a kernel of the run whose trace fits in memory': '这次运行中轨迹放得进内存的核函数',
  'choose a core from 0 to {}': '请选择 0 至 {} 的核心',
  'a core that is modelled': '建模的核心',
  'choose a core that runs a block, or a kernel that loads through the L1':
    '请选择一个运行线程块的核心，或一个经 L1 加载的核函数',
  'choose a step from 1 to {}': '请选择 1 至 {} 的步',
  'a step of the core': '该核心的一步',
  'step {} of core {}': '核心 {2} 的第 {1} 步',
  'a class of misses': '未命中的一类',
  'choose a set from 0 to {}': '请选择 0 至 {} 的组',
  'a set of the cache': '缓存的一组',
  'choose a number from 1 to {}': '请选择 1 至 {} 的数',
  'an instruction of the kernel': '该核函数的指令',
  'an array of the kernel': '该核函数的数组',
  'a byte address': '字节地址',
  'write for example 0x7f00': '例如写 0x7f00',
  'a line that the kernel asks for': '该核函数请求的缓存行',
  'take an address from the list of steps': '请从步骤列表中取一个地址',
  'an access that fits': '符合的访问',
  'none in this run': '这次运行中没有',
  'ask for less at a time, such as any outcome': '请一次少问一些，例如任意结果',
  'access {} of those that fit': '符合的第 {} 次访问',
  '{#} of them': '有 {} 次',
  'such an access after this step': '此步之后的这种访问',
  'go back to an earlier step': '请回到较早的步',
  'such an access before this step': '此步之前的这种访问',
  'go on to a later step': '请前进到较晚的步',
  'an address such as 0x7f00': '如 0x7f00 的地址',
  'take one from the report': '请从报告中取一个',

  // Why a placement is faster or slower.
  texture1d: '1D 纹理',
  texture2d: '2D 纹理',
  global: '全局',
  constant: '常量',
  shared: '共享',
  '`{}` in {} instead of {} saves {} on the whole GPU: {} {#} → {#}':
    '“{1}” 放在{2}而不是{3}，在整个 GPU 上节省 {4}：{5} {6} → {7}',
  '`{}` in {} instead of {} saves {} on the whole GPU: {} {#} → {#} ({} {#} → {#})':
    '“{1}” 放在{2}而不是{3}，在整个 GPU 上节省 {4}：{5} {6} → {7}（{8} {9} → {10}）',
  'the whole placement saves {} on the whole GPU: {} {#} → {#}': '整个放置在整个 GPU 上节省 {1}：{2} {3} → {4}',
  'the whole placement saves {} on the whole GPU: {} {#} → {#} ({} {#} → {#})':
    '整个放置在整个 GPU 上节省 {1}：{2} {3} → {4}（{5} {6} → {7}）',
  '`{}` in {} instead of {} costs {} on the whole GPU: {} {#} → {#}':
    '“{1}” 放在{2}而不是{3}，在整个 GPU 上多用 {4}：{5} {6} → {7}',
  '`{}` in {} instead of {} costs {} on the whole GPU: {} {#} → {#} ({} {#} → {#})':
    '“{1}” 放在{2}而不是{3}，在整个 GPU 上多用 {4}：{5} {6} → {7}（{8} {9} → {10}）',
  'the whole placement costs {} on the whole GPU: {} {#} → {#}': '整个放置在整个 GPU 上多用 {1}：{2} {3} → {4}',
  'the whole placement costs {} on the whole GPU: {} {#} → {#} ({} {#} → {#})':
    '整个放置在整个 GPU 上多用 {1}：{2} {3} → {4}（{5} {6} → {7}）',
  'the whole placement': '整个放置',
  '{} saves {} on the whole GPU: {} {#} → {#}': '{1} 在整个 GPU 上节省 {2}：{3} {4} → {5}',
  '{} saves {} on the whole GPU: {} {#} → {#} ({} {#} → {#})':
    '{1} 在整个 GPU 上节省 {2}：{3} {4} → {5}（{6} {7} → {8}）',
  '{} costs {} on the whole GPU: {} {#} → {#}': '{1} 在整个 GPU 上多用 {2}：{3} {4} → {5}',
  '{} costs {} on the whole GPU: {} {#} → {#} ({} {#} → {#})':
    '{1} 在整个 GPU 上多用 {2}：{3} {4} → {5}（{6} {7} → {8}）',
  '{} changes nothing': '{} 没有变化',
  '{} on the whole GPU': '整个 GPU 上的{}',
  '{} by the equations': '按方程的{}',
  '{}: unknown, because the placement without this move did not run on the whole GPU':
    '{}：未知，因为没有这次移动的放置没有在整个 GPU 上运行',
  'instructions issued': '发射的指令',
  'scheduler cycles waiting for arithmetic': '等待算术的调度器周期',
  'scheduler cycles waiting for loads': '等待加载的调度器周期',
  'scheduler cycles waiting for shared memory': '等待共享内存的调度器周期',
  'scheduler cycles waiting for the load-store pipe': '等待加载存储流水线的调度器周期',
  'scheduler cycles waiting at barriers': '等待栅障的调度器周期',
  'scheduler cycles waiting for blocks to start': '等待线程块启动的调度器周期',
  'wavefronts of shared memory': '共享内存的波前',
  'sectors read from DRAM': '从 DRAM 读取的扇区',
  'sectors read from the L2': '从 L2 读取的扇区',
  'misses of the constant cache': '常量缓存的未命中',
  'sectors asked of the L1': '向 L1 请求的扇区',
  'sectors written to the L2': '写入 L2 的扇区',
  'addressing instructions': '计算地址的指令',
  'instructions of copies': '拷贝的指令',
  'sectors asked of the L2': '向 L2 请求的扇区',
  'row conflicts': '行冲突',
  'warps per SM': '每 SM 线程束',
  'before the launch the host does: {}': '启动之前主机执行：{}',

  // Placements.
  '{} bytes of constant memory, there are {}': '常量内存 {} 字节，而只有 {}',
  'its values are operands of instructions, so no load tells which of them a block uses':
    '它的值是指令的操作数，所以没有加载说明线程块使用其中哪些',
  'staging without reuse: a block uses each element once at most': '暂存而无重用：一个线程块对每个元素最多用一次',
  'its indices have no row and column that the text shows': '源码没有显示其下标的行和列',
  'the kernel writes it, and this memory is read only': '核函数会写它，而这种内存只读',
  'the kernel does not use it': '核函数没有使用它',
  'no thread of this launch accesses it': '这次启动中没有线程访问它',
  'it is no parameter': '它不是参数',
  'the text copies it to shared memory already': '源码已经把它拷贝到共享内存',
  'the text copies it to shared memory already: {}': '源码已经把它拷贝到共享内存：{}',
  'the index in line {} does not show which part a block needs, and the whole array does not fit: {} bytes of {}':
    '第 {1} 行的下标看不出一个线程块需要数组的哪一部分，而整个数组放不下：{3} 字节中需要 {2} 字节',
  "does not fit: {} bytes of a block's {}": '放不下：一个线程块的 {2} 字节中需要 {1} 字节',
  'the kernel writes it, and the text does not show which block owns an element':
    '核函数会写它，而源码没有显示哪个线程块拥有一个元素',
  'several blocks may use an element, and each would have its own copy':
    '几个线程块可能使用同一元素，各自会有自己的副本',
  'line {} takes the address of an element': '第 {} 行取了一个元素的地址',
  'line {} hands its address on': '第 {} 行把其地址传出',
  'line {} reads it through a pointer': '第 {} 行通过指针读取它',
  'load a trace, or choose one of its kernels': '请加载轨迹，或选择其中一个核函数',
  'a kernel from 1 to {}': '1 至 {} 的核函数',
  'a name, the first byte and the length, as in `A 0x7f0000 4096`': '名称、首字节和长度，如 `A 0x7f0000 4096`',
  'separate them by spaces': '请用空格分开',
  '{} reaches into {}': '{} 伸入 {}',
  'ranges that do not overlap': '不重叠的范围',
  'shorten the first': '请缩短第一个',
  'at most {} arrays': '最多 {} 个数组',
  'leave out what does not matter': '请去掉不重要的',
  'a name of its own for every array': '每个数组各有名称',
  'rename one of them': '请重命名其中一个',
  'a kernel of CUDA text': 'CUDA 源码的核函数',
  'lines of comma-separated values': '以逗号分隔的各行',
  'save the table as UTF-8 CSV': '请把表保存为 UTF-8 CSV',
  'a time in µs above 0': '大于 0 的时间，µs',
  'leave out what was not measured': '请去掉没有测量的',
  'a kernel of the traces: {}': '轨迹中的核函数：{}',
  'load its trace': '请加载它的轨迹',
  'at least {} rows of {} kernels': '至少 {2} 个核函数的 {1} 行',
  'measure more placements, or load more kernels': '请测量更多放置，或加载更多核函数',
  'at least {} kernels': '至少 {} 个核函数',
  'load more kernels': '请加载更多核函数',
  'a placement that fits': '符合的放置',
};
