/** The shared texts of a workbook, to which cells refer by index. */
import type { Archive } from './archive.server.ts'

export async function readSharedTexts(archive: Archive, path: string): Promise<string[]> {
  const texts: string[] = []
  let text = ''
  let isText = false
  // The pronunciation of Asian characters is stored beside the text, and not part of it.
  let isPronunciation = false
  await archive.read(path, {
    open(name) {
      if (name === 'si') text = ''
      if (name === 'rPh') isPronunciation = true
      if (name === 't') isText = !isPronunciation
    },
    text(more) {
      if (isText) text += more
    },
    close(name) {
      if (name === 't') isText = false
      if (name === 'rPh') isPronunciation = false
      if (name === 'si') texts.push(text)
    },
  })
  return texts
}
