/* What the console does only with a script: everything else works without. */

