/** Words typed into a page that is gone, to be copied from here. */
import { says } from '../frame/says.ts'
import { fieldName } from './field-names.ts'

export type KeptWord = {
  /** The name of the field, if there are several. */
  name?: string
  text: string
}
export type KeptWords = { detail: string; kept_words: readonly KeptWord[] }

export const areKeptWords = (data: unknown): data is KeptWords => says(data, 'kept_words')

export function KeptWordsFields({ kept_words }: Pick<KeptWords, 'kept_words'>) {
  return kept_words.map(({ name, text }, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: nothing moves, and the same words may be there twice
    <label key={index} className="field">
      <span className="field-label">
        {name ? fieldName(name) : `What you wrote${kept_words.length > 1 ? ` (${index + 1})` : ''}`}
      </span>
      <textarea className="input input-area" rows={4} readOnly defaultValue={text} />
    </label>
  ))
}
