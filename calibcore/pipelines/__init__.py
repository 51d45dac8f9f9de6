"""Answers for pipelines: a small document, Markdown for a pull request, JUnit XML. All may be handed on."""
