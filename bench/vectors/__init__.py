"""Where the word vectors of the local judge come from, and what they are worth.

make      the file, from a sentence encoder
measure   likeness of word pairs in several languages, and relevance of passages
"""
