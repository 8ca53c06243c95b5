/** A message as sent; its links work, but are never prefetched. */
const ADDRESS = /(https?:\/\/[^\s"<>]+)/

export function MessageWords({ words }: { words: string }) {
  return words.split('\n').map((line, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: lines of a text that never changes
    <span key={index}>
      {index > 0 ? <br /> : null}
      {line.split(ADDRESS).map((part) =>
        ADDRESS.test(part) ? (
          <a key={part} href={part}>
            {part}
          </a>
        ) : (
          part
        ),
      )}
    </span>
  ))
}
