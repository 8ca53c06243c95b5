/** What somebody wrote into a page that is gone: to be copied from here. */

export type KeptWords = { why: string; kept_words: string[] }

export const areKeptWords = (data: unknown): data is KeptWords =>
  typeof data === 'object' && data !== null && 'kept_words' in data && Array.isArray(data.kept_words)

export function KeptWordsFields({ kept_words }: Pick<KeptWords, 'kept_words'>) {
  return kept_words.map((words, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: nothing moves, and the same words may be there twice
    <label key={index} className="field">
      <span className="field-label">What you wrote{kept_words.length > 1 ? ` (${index + 1})` : ''}</span>
      <textarea className="input input-area" rows={4} readOnly defaultValue={words} />
    </label>
  ))
}
