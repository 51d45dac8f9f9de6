"""What other bins, other bandwidths and each class by itself would say."""
