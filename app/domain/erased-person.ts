export const ERASED_PERSON = 'This person was erased for good. This cannot be undone.'
