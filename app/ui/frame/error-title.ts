import { useEffect } from 'react'

const ERROR = 'Error: '

/** The title of a page whose form was refused, as rendered. */
export const errorTitle = (title: string): string => (title.startsWith(ERROR) ? title : ERROR + title)

/** The same for a form validated by script, until the next page. */
export function useErrorTitle(refused: boolean): void {
  useEffect(() => {
    if (!refused) return
    document.title = errorTitle(document.title)
    return () => {
      document.title = document.title.replace(ERROR, '')
    }
  }, [refused])
}
