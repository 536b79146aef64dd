// Deletes what is kept in this browser, and says so.

import { useState } from 'preact/hooks';
import { forgetAll } from '../app/kept/kept';
import { s } from '../content/strings';

export function ForgetAll() {
  const [told, setTold] = useState('');
  const forget = () => void forgetAll().then((done) => setTold(done ? s.kept.forgotten : s.kept.refused));
  return (
    <p>
      <button type="button" onClick={forget}>
        {s.kept.forget}
      </button>{' '}
      <span role="status">{told}</span>
    </p>
  );
}
