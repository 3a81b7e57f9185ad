// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.20;

/// Keeps coins for people. Lives behind a proxy; version 2 adds a pause.
contract Vault {
    mapping(address => uint256) public deposits;

    event Deposited(address indexed account, uint256 amount);
    event Withdrawn(address indexed account, uint256 amount);

    function version() external pure virtual returns (uint256) {
        return 1;
    }

    function deposit() external payable virtual {
        deposits[msg.sender] += msg.value;
        emit Deposited(msg.sender, msg.value);
    }

    function withdraw(uint256 amount) external {
        require(deposits[msg.sender] >= amount, "Vault: not that much");
        deposits[msg.sender] -= amount;
        (bool ok,) = msg.sender.call{value: amount}("");
        require(ok, "Vault: payment refused");
        emit Withdrawn(msg.sender, amount);
    }
}

contract VaultV2 is Vault {
    bool public closed;

    function version() external pure override returns (uint256) {
        return 2;
    }

    function close() external {
        closed = true;
    }

    function deposit() external payable override {
        require(!closed, "Vault: closed");
        deposits[msg.sender] += msg.value;
        emit Deposited(msg.sender, msg.value);
    }
}
