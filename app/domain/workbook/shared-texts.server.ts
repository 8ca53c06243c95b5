/** The texts of a workbook, to which its cells point by their number. */
import type { Archive } from './archive.server.ts'

export async function readSharedTexts(archive: Archive, path: string): Promise<string[]> {
  const texts: string[] = []
  let text = ''
  let isText = false
  // How Asian characters are pronounced stands beside them, and is no part of the text.
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
