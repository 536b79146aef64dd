// Every word of the Learn tab, by language. The exercises bring their own texts.

import messages from '../../crates/course/messages.json';
import type { Say, Words } from '../engine/generated';

/** What a language needs; the compiler holds each to it. */
interface LearnWords {
  setup: string;
  intro: string;
  courseHeading: string;
  levels: Record<number, string>;
  progress: (done: number, of: number) => string;
  done: string;
  tried: string;
  all: string;
  level: (n: number) => string;
  goal: string;
  steps: string;
  start: string;
  startHint: string;
  question: string;
  answer: string;
  choose: string;
  chooseSeveral: string;
  order: string;
  up: (item: string) => string;
  down: (item: string) => string;
  row: string;
  cell: (label: string) => string;
  kernel: string;
  kernelHint: string;
  check: string;
  checking: string;
  opening: string;
  right: string;
  wrong: string;
  stopped: string;
  failed: string;
  hint: (n: number) => string;
  hints: string;
  noHints: string;
  solution: string;
  showSolution: string;
  solving: string;
  figure: string;
  figureTable: string;
  reading: string;
  next: string;
  seed: string;
  seedAnother: string;
  link: string;
  linkHint: string;
  handIn: string;
  handInHint: string;
  name: string;
  save: string;
  nothing: string;
  forget: string;
  honest: string;
  own: string;
  ownHint: string;
  edit: string;
  editor: string;
  editorHint: string;
  editorText: string;
  from: string;
  empty: string;
  open: string;
  saveFile: string;
  tryIt: string;
  good: string;
  problems: string;
  missing: (id: string) => string;
  language: string;
  languages: Record<string, string>;
  tries: (n: number) => string;
}

const en: LearnWords = {
  setup: 'Course',
  intro:
    'Each exercise begins in a state of the lab and asks one question. The engine computes the answer from the numbers that your seed drew.',
  courseHeading: 'Exercises',
  levels: { 1: 'Level 1: what moves', 2: 'Level 2: why it misses', 3: 'Level 3: measure and change it' },
  progress: (done, of) => `${done} of ${of} solved`,
  done: 'solved',
  tried: 'tried',
  all: 'All exercises',
  level: (n) => `level ${n}`,
  goal: 'Goal',
  steps: 'Steps',
  start: 'Open the starting state',
  startHint: 'It opens in its tab. A line above leads back to this exercise.',
  question: 'Question',
  answer: 'Answer',
  choose: 'Choose one',
  chooseSeveral: 'Choose all that hold',
  order: 'Put these in order',
  up: (item) => `Move up: ${item}`,
  down: (item) => `Move down: ${item}`,
  row: 'Cells',
  cell: (label) => `Cell for ${label}`,
  kernel: 'Kernel',
  kernelHint: 'Any text that gives the same result and reaches the figure is right.',
  check: 'Check',
  checking: 'Computing the answer',
  opening: 'Opening the exercise',
  right: 'Right.',
  wrong: 'Not yet.',
  stopped: 'Stopped.',
  failed: 'The exercise stopped. Try again.',
  hint: (n) => `Show hint ${n}`,
  hints: 'Hints',
  noHints: 'These are all hints.',
  solution: 'Solution',
  showSolution: 'Show the solution',
  solving: 'Computing the solution',
  figure: 'What moves between the levels in this exercise',
  figureTable: 'The solution names the numbers of this figure.',
  reading: 'Read on',
  next: 'Next exercise',
  seed: 'Seed',
  seedAnother: 'Draw another',
  link: 'Link to this exercise with this seed',
  linkHint: 'Everybody who opens this link gets the same numbers. Give each group its own seed.',
  handIn: 'Hand in',
  handInHint:
    'Saves the last checked answer of each exercise as one file. Its fingerprints show a lecturer what was changed afterwards.',
  name: 'Name of the person or group',
  save: 'Save the file',
  nothing: 'Have an answer checked first.',
  forget: 'Forget my progress',
  honest:
    'The check runs in your browser, so a determined student can read any answer. A hand-in is verified by running it again.',
  own: 'Exercises of your own',
  ownHint: 'Drop an exercise file (JSON) here, or write one.',
  edit: 'Write an exercise',
  editor: 'Exercise file',
  editorHint: 'The text is checked while you write. The preview below has the numbers of the seed.',
  editorText: 'Exercise as JSON',
  from: 'Begin with',
  empty: 'choose one',
  open: 'Open files…',
  saveFile: 'Save the file',
  tryIt: 'Try it',
  good: 'The exercise can be used.',
  problems: 'What is wrong',
  missing: (id) => `There is no exercise “${id}” here. If a lecturer gave you a file, drop it on the page.`,
  language: 'Language of the exercises',
  languages: { en: 'English', zh: '中文' },
  tries: (n) => (n === 1 ? '1 try' : `${n} tries`),
};

const zh: LearnWords = {
  setup: '课程',
  intro: '每道练习从实验室的某个状态开始，提出一个问题。引擎根据您的随机种子抽取的数值计算答案。',
  courseHeading: '练习',
  levels: { 1: '第 1 级：搬运了什么', 2: '第 2 级：为何缺失', 3: '第 3 级：测量与改进' },
  progress: (done, of) => `已完成 ${done} / ${of}`,
  done: '已完成',
  tried: '已尝试',
  all: '全部练习',
  level: (n) => `第 ${n} 级`,
  goal: '目标',
  steps: '步骤',
  start: '打开起始状态',
  startHint: '它会在相应的页中打开。上方的一行可返回本练习。',
  question: '问题',
  answer: '答案',
  choose: '选择一项',
  chooseSeveral: '选择所有成立的项',
  order: '按顺序排列',
  up: (item) => `上移：${item}`,
  down: (item) => `下移：${item}`,
  row: '单元格',
  cell: (label) => `${label} 的单元格`,
  kernel: '内核',
  kernelHint: '只要结果相同并达到指标，任何写法都算对。',
  check: '检查',
  checking: '正在计算答案',
  opening: '正在打开练习',
  right: '正确。',
  wrong: '还不对。',
  stopped: '已停止。',
  failed: '练习中断了，请重试。',
  hint: (n) => `显示提示 ${n}`,
  hints: '提示',
  noHints: '提示已全部显示。',
  solution: '解答',
  showSolution: '显示解答',
  solving: '正在计算解答',
  figure: '本练习中各级之间的搬运',
  figureTable: '解答中写出了图中的数值。',
  reading: '延伸阅读',
  next: '下一道练习',
  seed: '随机种子',
  seedAnother: '换一个',
  link: '带此种子的练习链接',
  linkHint: '打开此链接的人得到相同的数值。可为每组分配一个种子。',
  handIn: '提交',
  handInHint: '把每道练习最后检查过的答案存为一个文件。其中的指纹能让教师看出事后的改动。',
  name: '个人或小组的名称',
  save: '保存文件',
  nothing: '请先检查一个答案。',
  forget: '清除我的进度',
  honest: '检查在您的浏览器中进行，因此有心的学生可以读出任何答案。提交的文件会重新运行来验证。',
  own: '自编练习',
  ownHint: '把练习文件（JSON）拖到这里，或自己编写。',
  edit: '编写练习',
  editor: '练习文件',
  editorHint: '编写时即时检查。下方预览使用该种子的数值。',
  editorText: 'JSON 格式的练习',
  from: '以此为起点',
  empty: '请选择',
  open: '打开文件…',
  saveFile: '保存文件',
  tryIt: '试做',
  good: '该练习可以使用。',
  problems: '存在的问题',
  missing: (id) => `这里没有练习“${id}”。如果教师给了您文件，请把它拖到页面上。`,
  language: '练习的语言',
  languages: { en: 'English', zh: '中文' },
  tries: (n) => `尝试 ${n} 次`,
};

const all: Record<string, LearnWords> = { en, zh };

export const learnWords = (language: string): LearnWords => all[language] ?? en;

/** A text in a language; English stands in. */
export const inLanguage = (words: Words, language: string): string => words[language] ?? words['en'] ?? '';

const sentences: Record<string, Record<string, string>> = messages;

/** What a verdict says. */
export function sayText(say: Say, language: string): string {
  if ('words' in say) return inLanguage(say.words, language);
  const { key, values } = say.message;
  const text = inLanguage(sentences[key] ?? {}, language);
  return text.replace(/\{(\w+)\}/g, (place, name: string) => values[name] ?? place);
}
