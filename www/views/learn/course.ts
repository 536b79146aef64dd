// The files of the course, in its order. They come as text, because a hand-in names the hash of the file.

import order from '../../../crates/course/course.json';
import type { Words } from '../../engine/generated';

/** A line of the course's list. */
export interface Listed {
  id: string;
  level: number;
  title: Words;
  goal: Words;
  text: string;
}

const files = import.meta.webpackContext('../../../crates/course/exercises', { regExp: /\.json$/ });

function listed(id: string): Listed {
  const text = files(`./${id}.json`);
  const { level, title, goal } = JSON.parse(text) as Omit<Listed, 'text'>;
  return { id, level, title, goal, text };
}

export const course: Listed[] = order.map(listed);
