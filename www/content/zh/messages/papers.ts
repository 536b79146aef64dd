// The rows of the self-check: what is compared, and why a row differs or cannot be compared.

export const papers: Record<string, string> = {
  // CLUSTER 2017.
  'The times of the benchmarks on a K80 are not published, only mean errors. docs/placement.md has the same errors of our model, with times of our model of the whole K80 and our own texts of the kernels.':
    '基准程序在 K80 上的时间未公布，只有平均误差。docs/placement.md 给出我们模型的同样误差，所用时间来自我们的整个 K80 的模型和自写的核函数文本。',
  'It defines words and symbols. The model `paper` uses them.': '此处定义词语和符号。模型 `paper` 使用它们。',
  'Tcomp of 150 instructions a warp, 13 warps an SM, EIT 1/6 and 500 cycles of W_serial':
    '每个线程束 150 条指令、每个 SM 13 个线程束、EIT 1/6、W_serial 500 周期时的 Tcomp',
  'replays of the target: 320 of the sample, 250 of them by (1) to (4), 40 in the target':
    '目标的重放：样本有 320 次，其中 250 次由 (1) 至 (4) 引起，目标中为 40 次',
  '80 effective requests of 450 cycles': '80 个有效请求，每个 450 周期',
  'AMAT with a quarter of L2 misses of 649.25 cycles, a hit of 223 and a tenth of shared requests of 47':
    'AMAT：四分之一为 649.25 周期的 L2 未命中，命中为 223，十分之一为 47 周期的共享内存请求',
  'a bank of the K80 with a row miss, a hit, a conflict and a hit, 2,000 ns apart':
    'K80 的一个存储体：行未命中、命中、冲突、命中，相隔 2,000 ns',
  'that bank and one request to another bank, weighted by arrivals': '该存储体与另一存储体的一个请求，按到达数加权',
  'wait with ca 0.7, cs 0.4, ρ 0.25 and τa 200 ns, as printed without squares and with τa':
    'ca 0.7、cs 0.4、ρ 0.25、τa 200 ns 时的等待，按印刷形式（无平方，用 τa）',
  'ratio of events 1.5, 0.25 and 0.5 with coefficients 0.2, −0.4, 0.1 and 0.3; Toverlap of 2,000 cycles':
    '事件比 1.5、0.25、0.5，系数 0.2、−0.4、0.1、0.3；2,000 周期的 Toverlap',
  'EIT of 9 cycles of latency, 192 lanes, 20 warps and ILP 1.5; and of 64 warps':
    '延迟 9 周期、192 个通道、20 个线程束、ILP 1.5 时的 EIT；以及 64 个线程束时',
  "The equations are lost in the copy of the paper that is at hand. Ours have the form of Sim et al. (PPoPP'12), from memory; Γ = 64 is theirs for Fermi. The values are worked by hand from that form.":
    "手头的论文副本中缺少这些公式。我们采用 Sim 等（PPoPP'12）的形式（凭记忆）；Γ = 64 是其 Fermi 的值。数值由该形式手算。",
  'W_serial of two barriers and thirty special functions a warp; effective requests':
    '每个线程束两个栅障、三十个特殊函数时的 W_serial；有效请求',
  'ITMLP of MLP 2 and six warps, with bandwidth for 20 and for 9; MWP_cp of CWP 5, 1 and 50 with MWP 10':
    'MLP 为 2、六个线程束、带宽够 20 和 9 时的 ITMLP；MWP 为 10 时 CWP 5、1、50 的 MWP_cp',
  'instructions that address an element of a float array: global, 1D texture, constant, shared':
    '寻址 float 数组一个元素的指令数：全局、一维纹理、常量、共享',
  'replays (1), (3) and (4) of a warp that reads words 128 bytes apart; (1) counts words, so it sees none':
    '读取相隔 128 字节的字的线程束的重放 (1)、(3)、(4)；(1) 按字计数，因此看不到重放',
  'service times and address bits of the preset k80': '预设 k80 的服务时间和地址位',
  'the algorithm finds the bits of a hidden memory that answers only with latencies':
    '该算法从只回答延迟的隐藏内存中找出各位',
  'cosine similarity of nvprof events and times': 'nvprof 事件与时间的余弦相似度',
  'The 265 counters of the runs are not published.': '各次运行的 265 个计数器未公布。',
  'parameters, symbols and drawings': '参数、符号和示意图',
  '38 placements of 8 kernels for training, 22 of 9 for evaluation':
    '训练用 8 个核函数的 38 种放置，评估用 9 个的 22 种',
  'ca of the arrivals: spmv 1.11, md 2.22, matrixMul 1.72': '到达的 ca：spmv 1.11、md 2.22、matrixMul 1.72',
  "mean error 9.9 %, and 17.6 % less than by the model of Sim et al. (PPoPP'12)":
    "平均误差 9.9%，比 Sim 等（PPoPP'12）的模型少 17.6%",
  'ranks of five placements of kernelFeedForward1': 'kernelFeedForward1 五种放置的名次',
  'the baseline is better by 17 % with counting, 31 % with the queue too, 39.1 % with the mapping too':
    '加入计数后基准改善 17%，再加队列为 31%，再加映射为 39.1%',
  'the coefficients of equation 11': '公式 11 的系数',
  'The paper does not print them. The model is trained on your times or on those of the whole-GPU model, and the untrained rule stands where training does not help on left-out kernels.':
    '论文未印出。模型用你的时间或整 GPU 模型的时间训练；若训练对留出的核函数无帮助，则保留未训练的规则。',
  '35 placements of the training and 14 of the evaluation run in a test (placement_paper.rs). Arrays of shared memory that move to global memory are no arrays of a trace, a written array cannot be a texture, and rows that the table prints twice run once.':
    '训练的 35 种和评估的 14 种放置在测试中运行（placement_paper.rs）。移到全局内存的共享内存数组不是轨迹的数组，被写的数组不能作纹理，表中重复的行只运行一次。',
  "The streams are those of GPGPU-Sim's Tesla C2050 and are not published. docs/placement.md has ours, of our texts of the kernels.":
    '这些流来自 GPGPU-Sim 的 Tesla C2050，未公布。docs/placement.md 有我们自写核函数文本的流。',
  '(4) 32 lanes in one bank − 1': '(4) 一个存储体中 32 个线程 − 1',
  'row hit, ns': '行命中，ns',
  'row miss, ns': '行未命中，ns',
  'row conflict, ns': '行冲突，ns',
  'row and column bits': '行位和列位',

  // The pages about accuracy.
  "Times and cycles of the model gpu. The page's mean errors on these GPUs are 3 % (TITAN X), 11 % (RTX 3080) and 13 % (RTX 2060), and it says what is known of them. The bound of a quarter is assumed.":
    '模型 gpu 的时间和周期。该页在这些 GPU 上的平均误差为 3%（TITAN X）、11%（RTX 3080）和 13%（RTX 2060），并说明已知的情况。四分之一的界限是假定的。',
  'cycles of four launches on a TITAN X (Pascal), measured by the authors of microgpusim':
    'TITAN X (Pascal) 上四次启动的周期，由 microgpusim 的作者测量',
  'times of five launches on an RTX 2060 in µs, measured by others': 'RTX 2060 上五次启动的时间（µs），由他人测量',
  'times of two launches on an RTX 3080 in µs, measured by others': 'RTX 3080 上两次启动的时间（µs），由他人测量',
  'The measured files are not part of this project, and the launches take minutes. `warpscope check --hardware DIR` recomputes them, and `npm run accuracy` writes the page.':
    '实测文件不属于本项目，且启动需数分钟。`warpscope check --hardware DIR` 重新计算，`npm run accuracy` 写出该页。',
  'errors of predicted times of placements, each traced by itself: half below 20 % on one matrix product, above 30 % on another':
    '各放置单独生成轨迹时预测时间的误差：一种矩阵乘积上半数低于 20%，另一种上半数高于 30%',
  'The measured times are not part of this project. Tests compare where the files are present.':
    '实测时间不属于本项目。文件存在时由测试比较。',
  'how often an interval holds the true size, over 300 hidden GPUs': '300 个隐藏 GPU 中区间包含真实大小的频率',
  'It takes minutes: `cargo run --release -p lab --example interval_coverage -- 200000 200300`.':
    '需数分钟：`cargo run --release -p lab --example interval_coverage -- 200000 200300`。',
  "loads and stores of the library's kernels beside machine code": '库中核函数的加载和存储与机器码对照',
  "It needs NVIDIA's compiler, which is no part of this project.": '需要 NVIDIA 的编译器，它不属于本项目。',
  'all tables: {}': '全部表格：{}',
  benchmarks: '基准测试',
  'Times depend on the machine. The page says how they are measured.': '时间取决于机器。该页说明测量方法。',
  'rows of docs/accuracy.md': 'docs/accuracy.md 的行',
  '{} has no counter': '{} 没有计数器',
  '{}, as the page prints it': '{}，按该页所印',

  // HPCA 2014.
  'the infrastructure of the model': '模型的基础设施',
  'A drawing without values.': '没有数值的示意图。',
  'modelled and measured miss rates of Parboil and PolyBench, by kernel':
    'Parboil 和 PolyBench 的模型与实测未命中率，按核函数',
  "The measured rates are in a picture that was not at hand, and so are traces of the suites with the paper's inputs.":
    '实测比率在手头没有的图中，使用论文输入的套件轨迹也没有。',
  'mean error with one mechanism off; ours is the mean change of the miss rate over six kernels of the library':
    '关闭一个机制时的平均误差；我们的是库中六个核函数未命中率的平均变化',
  "The paper's errors (6.4 in 16 KB, with one mechanism off 9.6, 12.1 and 7.1; 8.3 in 48 KB) need measured rates by kernel, which are in a picture that was not at hand. Ours shows only how much each mechanism moves the miss rate of small kernels.":
    '论文的误差（16 KB 为 6.4，关闭一个机制为 9.6、12.1、7.1；48 KB 为 8.3）需要各核函数的实测比率，它们在手头没有的图中。我们只显示每个机制对小核函数未命中率的影响。',
  'errors (18.1 and 21.4 points) and run time (268 times) of GPGPU-Sim 3.2.0':
    'GPGPU-Sim 3.2.0 的误差（18.1 和 21.4 个百分点）和运行时间（268 倍）',
  'That simulator is not part of this project, and the measured rates are in a picture.':
    '该模拟器不属于本项目，实测比率在图中。',
  'miss rates at 0.25, 0.5, 1, 2 and 4 times the ways, cache size, line size and MSHRs of 16 KB':
    '16 KB 的路数、缓存大小、行大小和 MSHR 取 0.25、0.5、1、2、4 倍时的未命中率',
  "The paper's values are in a picture that was not at hand, and its kernels are Parboil's. Ours are of three kernels of the library. The sweep of the Cache tab gives the same.":
    '论文的数值在手头没有的图中，其核函数来自 Parboil。我们的来自库中三个核函数。“缓存”页的扫描给出相同结果。',
  'error with all': '全部开启时的误差',
  'miss rate of a copy by rows, as round robin would have it (no latency, no MSHRs, 128 lines in one set)':
    '按行复制的未命中率，按轮转调度（无延迟、无 MSHR、一组 128 行）',
  'miss rate of a copy by rows: a GTX 470 beside the model paper (seed 1)':
    '按行复制的未命中率：GTX 470 与模型 paper（种子 1）',
  "The model misses far too little where warps run apart: 18 % of 1024 threads' requests against 82 % on the GPU. It answers all lines of a warp in one tick, and warps wait in a FIFO. The model gpu serves one line at a time, the oldest warp first, and comes within 10 points. The bound is the paper's own margin (section 8).":
    '线程束进度分散时模型未命中过少：1024 个线程的请求为 18%，GPU 上为 82%。它在一个节拍内应答线程束的所有行，线程束按先进先出等待。模型 gpu 一次处理一行，最老的线程束优先，误差在 10 个百分点内。界限是论文自己的余量（第 8 节）。',
  'miss rate of a copy by rows: a GTX 470 beside the model gpu (mean over four bases of the matrix)':
    '按行复制的未命中率：GTX 470 与模型 gpu（矩阵四个基址的平均）',
  "The rules of the model were chosen with this figure in view, so this is no blind prediction (docs/machine-model.md). 512 threads are not explained. The bound is the paper's own margin (section 8).":
    '模型的规则是参照此图选定的，因此不是盲预测（docs/machine-model.md）。512 个线程的情形未能解释。界限是论文自己的余量（第 8 节）。',
  'miss rates of strided loads, for 4 to 256 loads: model paper': '4 至 256 次跨步加载的未命中率：模型 paper',
  'miss rates of strided loads, for 4 to 256 loads: model reference': '4 至 256 次跨步加载的未命中率：模型 reference',
  'miss rates of strided loads, for 4 to 256 loads: model gpu': '4 至 256 次跨步加载的未命中率：模型 gpu',
  'bits of the set index that vary across the loads (its last line, here for strides of 2^7 to 2^13 in 16 KB): strides whose rate is 50 %, minus one':
    '组索引中随加载变化的位（最后一行，此处为 16 KB 中 2^7 至 2^13 的步长）：比率为 50% 的步长数减一',
  'the preset has no hashed set index': '该预设没有散列组索引',
  'set index of the 16 KB cache, found from outside: which address bits join bits 7 to 11':
    '从外部测出的 16 KB 缓存的组索引：哪些地址位与第 7 至 11 位合并',
  'most lines that a victim displaced': '一次逐出挤走的最多行数',
  'set index of the 48 KB cache, found from outside: bit 12 is a bit of its own':
    '从外部测出的 48 KB 缓存的组索引：第 12 位单独成一位',
  'there is no preset gtx470-{}': '没有预设 gtx470-{}',
  'there is no preset {}': '没有预设 {}',
  'geometry of the L1 of a GTX 470': 'GTX 470 的 L1 的几何参数',
  'blocks of 512 threads that are active on a core': '一个核心上活动的 512 线程的块数',
  'latency of a miss, λ + |N(0, σ²)| with λ = 100 and σ = 5: the mean of the formula, λ + σ √(2/π), beside the mean of 4096 misses':
    '未命中的延迟 λ + |N(0, σ²)|，λ = 100，σ = 5：公式的均值 λ + σ √(2/π) 与 4096 次未命中的均值',
  'Ours is the mean of 4096 random draws, each rounded to whole ticks. Its standard error is 0.05, and the bound is four of these. The paper prints no values of λ and σ; 100 and 5 are those of its program.':
    '我们的是 4096 次随机抽取（各取整为节拍）的均值。其标准误为 0.05，界限为其四倍。论文未印出 λ 和 σ；100 和 5 是其程序的值。',
  'the warp queue: three warps with two misses of latency 5 each, as thread@time, worked by hand':
    '线程束队列：三个线程束各有两次延迟 5 的未命中，写作 线程@时间，手算',
  'other assignments of threads to warps': '线程到线程束的其他分配',
  'Not modelled: a trace has the accesses of whole warps of 32 threads, so that a warp of another size or with strided threads would need another trace.':
    '未建模：轨迹记录 32 个线程的完整线程束的访问，其他大小或跨步线程的线程束需要另外的轨迹。',
  'run time O(N log N), about 2 GB of memory': '运行时间 O(N log N)，约 2 GB 内存',
  'Times depend on the machine, so that a list that gives the same everywhere has none. docs/speed.md has ours.':
    '时间取决于机器，因此处处相同的列表中没有时间。docs/speed.md 有我们的。',
  'what the paper leaves out: barriers, replacement other than LRU': '论文未涉及的：栅障、LRU 以外的替换',
  'The model paper leaves out the same.': '模型 paper 同样未涉及。',
  '32 threads: at most 8': '32 个线程：最多 8',
  'loads per warp that do not wait, and MSHRs, found from the ticks of the model paper (blocking=false, warp_loads=6, latency=600)':
    '从模型 paper 的节拍测出的每个线程束不等待的加载数和 MSHR 数（blocking=false, warp_loads=6, latency=600）',
  'loads per warp that do not wait, and MSHRs, found from the cycles of the model gpu':
    '从模型 gpu 的周期测出的每个线程束不等待的加载数和 MSHR 数',
  'jumps of one warp': '一个线程束的跳变',
  'no load of {} warps waits': '{} 个线程束的加载都不等待',
  'reuse distances of seven accesses, by address and by line of four elements':
    '七次访问的重用距离，按地址和按四个元素的行',
  "the histogram of Table 1's distances, by line": '表 1 距离的直方图，按行',
  'miss rates of Table 1 in a cache of two lines': '表 1 在两行缓存中的未命中率',
  '3 of 7 accesses are 42.9 %, and 1 of 7 is 14.3 %. The paper cuts the digits after the point.':
    '7 次访问中的 3 次为 42.9%，1 次为 14.3%。论文截去了小数。',
  'four threads in round robin without latencies (blocking=false, clip=false, all latencies 0)':
    '四个线程轮转，无延迟（blocking=false, clip=false，全部延迟为 0）',
  'each access takes effect after a latency of 2 (blocking=false, clip=false)':
    '每次访问在延迟 2 之后生效（blocking=false, clip=false）',
  'latency 0 for hits and 2 for misses, two lines (blocking=false, clip=false)':
    '命中延迟 0，未命中延迟 2，两行（blocking=false, clip=false）',
  'Table 4 with clipping: the second request takes effect with the first, at 2 in place of 3 (clip=true)':
    '带截断的表 4：第二个请求与第一个同时生效，在 2 而不是 3（clip=true）',
  'threads 0 and 2 of Table 4 with one MSHR': '表 4 的线程 0 和 2，只有一个 MSHR',
  'accesses at distance 0, 1, 2, ∞': '距离为 0、1、2、∞ 的访问',
  'second effect at': '第二次生效于',
  'MSHRs used before': '之前占用的 MSHR',
  'miss cancel hit miss miss': '未命中 取消 命中 未命中 未命中',
  'MSHRs used after': '之后占用的 MSHR',

  // IPDPS 2012.
  'distance of the second access to b, with c, g, e, f and a between them':
    'b 的第二次访问的距离，其间有 c、g、e、f、a',
  'the balanced tree and the sequential algorithm': '平衡树和顺序算法',
  'the steps of HP-RDA': 'HP-RDA 的步骤',
  'the local array before the last access to a, and its distance': '最后一次访问 a 之前的局部数组及其距离',
  'distances joined over three thread traces with 5, 4 and 3 distinct addresses, by hand; g gets 6 in place of 4':
    '合并三条线程轨迹（5、4、3 个不同地址）的距离，手算；g 得 6 而不是 4',
  'a distance above M is multiplied by ef = M / Σ count, by hand: 5 × 0.3, cut to 1':
    '大于 M 的距离乘以 ef = M / Σ count，手算：5 × 0.3，截为 1',
  'bounds of ef: 1 without overlap, 1/n where n thread traces have the same addresses':
    'ef 的界限：无重叠时为 1，n 条线程轨迹地址相同时为 1/n',
  'the algorithm that merges thread-level results': '合并线程级结果的算法',
  'the distribution of work over threads': '工作在线程间的分配',
  'speed-ups over the sequential algorithm: 19.6 on a GPU, 3 on four CPU threads':
    '相对顺序算法的加速比：GPU 上 19.6，四个 CPU 线程上 3',
  'Times depend on the machine, so a list that gives the same everywhere has none. The Reuse tab times the engines beside each other, on the GPU where the browser has WebGPU; docs/speed.md has ours.':
    '时间取决于机器，因此处处相同的列表中没有时间。“重用”页并排为各引擎计时（浏览器有 WebGPU 时在 GPU 上）；docs/speed.md 有我们的。',
  'largest gap to the exact curve of accumulated shares at distances 0, 1, 2, 4 … 4 M, without and with adjustment':
    '在距离 0、1、2、4 … 4 M 处，与精确的累积份额曲线的最大差距，无调整与有调整',
  'The paper draws curves of SPEC CPU2000 programs and prints no values. Ours are generated streams. Adjustment narrows the gap of three, and widens that of the uniform stream and of the product of matrices.':
    '论文为 SPEC CPU2000 程序绘制曲线而不印数值。我们的是生成的流。调整缩小了三条流的差距，却扩大了均匀流和矩阵乘积的差距。',
  'error e with adjustment; the paper says below 1 % in all cases, ours by stream':
    '有调整的误差 e；论文称各种情况均低于 1%，我们按流列出',
  "The paper measures SPEC CPU2000, ours are generated streams. The uniform stream is above 1 %: its thread traces have common lines everywhere, and distances up to M are never corrected. The bound is the paper's.":
    '论文测量 SPEC CPU2000，我们的是生成的流。均匀流高于 1%：其线程轨迹处处有公共行，而不超过 M 的距离从不修正。界限来自论文。',
  'error e without adjustment, by stream': '无调整的误差 e，按流',
  'The paper prints one mean, 1.2 % over SPEC CPU2000. Ours are generated streams.':
    '论文只印出一个均值：SPEC CPU2000 上为 1.2%。我们的是生成的流。',
  'shares of the time by step': '各步骤所占时间',
  'Times depend on the machine: see Figure 10.': '时间取决于机器：见图 10。',
  'the error falls from ST = 512 to 16384, by stream (with adjustment; ours are the errors in percent)':
    '误差从 ST = 512 到 16384 下降，按流（有调整；我们的为百分比误差）',
  'run time over ST': '运行时间随 ST 的变化',
  'the configuration of the evaluation': '评估的配置',
  'A drawing or listing without values. The rows of the equations run the algorithm.':
    '没有数值的示意图或清单。公式各行运行该算法。',
  'distance, the non-zero elements after a': '距离，即 a 之后的非零元素',
  'all distances of one thread trace': '一条线程轨迹的全部距离',
  'distances by equation 1': '按公式 1 的距离',
  'ten equal traces': '十条相同的轨迹',
  'does not fall': '不下降',

  // The list, and the thesis.
  'Nugteren et al., A Detailed GPU Cache Model Based on Reuse Distance Theory, HPCA 2014':
    'Nugteren 等：基于重用距离理论的详细 GPU 缓存模型，HPCA 2014',
  'Huang and Li, performance models of data placement on GPUs, CLUSTER 2017':
    'Huang 与 Li：GPU 数据放置的性能模型，CLUSTER 2017',
  'Cui et al., A Highly Parallel Reuse Distance Analysis Algorithm on GPUs, IPDPS 2012':
    'Cui 等：GPU 上高度并行的重用距离分析算法，IPDPS 2012',
  'The thesis of TU Munich on the memory topology of GPUs': '慕尼黑工业大学关于 GPU 存储拓扑的学位论文',
  "This project's README and pages about accuracy": '本项目的 README 和精度页面',
  '{} rows: {} exact, {} differ, {} cannot be compared{}. {} red, {} of them not as stated.':
    '共 {} 行：{} 行精确，{} 行不同，{} 行无法比较{}。{} 行为红，其中 {} 行与声明不符。',
  'KiB, bytes, cycles': 'KiB、字节、周期',
  'The virtual GPU is made from this table, so this tests the experiments and not the GPU. A size is found to a step of the sizes tried, which is 3.1 % of it at most (docs/topologies.md).':
    '虚拟 GPU 由此表生成，因此检验的是实验而不是 GPU。大小精确到所试大小的一步，最多为其 3.1%（docs/topologies.md）。',
  'architectures and the grid': '体系结构和网格',
  'pointer chases and the search for a size': '指针追逐和大小的搜索',
  'geometric reduction of three rows to distances from the least times, and the sliding minimum of width 4, by hand':
    '三行按几何归约为与最小时间的距离，以及宽度 4 的滑动最小值，手算',
  'the split with the least cost, by hand': '代价最小的分割，手算',
  'the two-sample Kolmogorov-Smirnov D, by hand': '双样本的 D，手算',
  'the critical D for α = 0.05 and samples of 20 and 30, by hand: √(−½ ln 0.025 × 50 / 600)':
    'α = 0.05、样本 20 和 30 时的临界 D，手算：√(−½ ln 0.025 × 50 / 600)',
  'code, steps and measured curves of the experiments': '实验的代码、步骤和实测曲线',
  'The measured curves are pictures, and their raw times are not public. The Topology tab draws the same curves for virtual GPUs and for files of mt4g.':
    '实测曲线是图片，其原始时间未公开。“拓扑”页为虚拟 GPU 和 mt4g 的文件绘制同样的曲线。',
  'the GPUs that were tested, and their official sizes': '被测的 GPU 及其官方大小',
  'Not measured: facts of the devices. The presets have them with their sources.':
    '未测量：设备的事实。预设给出它们及其来源。',
  'Tesla K20c, found from outside': 'Tesla K20c，从外部测出',
  'GeForce 840M, found from outside': 'GeForce 840M，从外部测出',
  'Quadro P6000, found from outside': 'Quadro P6000，从外部测出',
  'Tesla V100, found from outside': 'Tesla V100，从外部测出',
  'RTX 2080 Ti, found from outside': 'RTX 2080 Ti，从外部测出',
  'A100, found from outside': 'A100，从外部测出',
  'the tables against raw times of real GPUs': '各表与真实 GPU 原始时间的对照',
  'output of another tool, PTX, an AMD unit': '另一工具的输出、PTX、AMD 单元',
  'Drawings and listings without values.': '没有数值的示意图和清单。',
  'sliding minimum of 5 9 4 7 8 6 3': '5 9 4 7 8 6 3 的滑动最小值',
  'values left of the split of 1 1 2 7 8': '1 1 2 7 8 的分割左侧的数值',
  'critical D (the thesis prints no minus sign)': '临界 D（论文未印负号）',
  'the table is not part of this program': '该表不属于本程序',
  'bytes per distinct line of the exact engine, on generated streams of 524,288 accesses to at most 131,072 lines':
    '精确引擎每个不同缓存行所占的字节，生成的流：524,288 次访问，最多 131,072 行',
  'The page states what is computed here.': '该页写出的数值在此计算。',
  '128 threads, least of the bases': '128 个线程，各基址中最小',
  '128 threads, most of the bases': '128 个线程，各基址中最大',
  "The thesis publishes no raw times. Files of its successor mt4g and outputs of gpu-benches are recomputed where a person drops them, by the thesis' rule too; docs/topologies.md has a table of ten devices. They are not part of this project.":
    '论文未公布原始时间。拖入其后继工具 mt4g 的文件或 gpu-benches 的输出时会重新计算，也按论文的规则计算；docs/topologies.md 有十个设备的表。这些文件不属于本项目。',
  'the outlook: bandwidths, instruction caches, TLBs, sharing among cores, found from outside on a hidden GPU (seed 4)':
    '展望：带宽、指令缓存、TLB、核心之间的共享，在一个隐藏的 GPU（种子 4）上从外部找出',
  'bytes, bytes per cycle, counts': '字节、每周期字节、个数',
  "The thesis prints no values of its outlook. The first value is what the virtual GPU hides, so this tests the experiments and not a GPU. The smallest TLB has 16 entries, and a reach is found to an entry, which is 6.3 % of it. AMD GPUs are read from mt4g's files only.":
    '论文未印出展望部分的数值。第一个值是虚拟 GPU 所隐藏的，所以这检验的是实验而不是某个 GPU。最小的 TLB 有 16 项，覆盖范围精确到一项，即其 6.3 %。AMD GPU 只从 mt4g 的文件读取。',
  'miss rate of the model paper with 128 threads over the seeds 1 to 8: how much the random latencies move it':
    '模型 paper 在 128 个线程、种子 1 至 8 时的未命中率：随机延迟使其变动多少',
  'The paper prints no spread over random latencies.': '论文未印出随机延迟造成的离散。',
};
